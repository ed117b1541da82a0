/** A request to our server, as the replayer makes it. */
export interface TransportRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** What came back, from whomever. The body is read in pieces as they arrive. */
export interface TransportAnswer {
  /** 0 for a redirect, which our server never answers. */
  readonly status: number
  header(name: string): string | null
  readonly body: AsyncIterable<string>
}

/** Carries one request. Throws when there is no network or the signal was raised. */
export type Transport = (request: TransportRequest) => Promise<TransportAnswer>

/** The whole body as text. Throws when it breaks off. */
export async function textOf(answer: TransportAnswer): Promise<string> {
  let text = ''
  for await (const piece of answer.body) text += piece
  return text
}

/** The JSON of a text; undefined when it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
