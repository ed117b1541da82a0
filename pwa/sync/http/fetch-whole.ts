import { timings } from '../../browser/timings.ts'

/**
 * Fetches an answer with its whole body, as long as it moves.
 * @param onHead called before the body is here
 * @param silenceMs how long nothing may move
 * @throws what `fetch` throws, the signal's abort reason, and an error after silence of the network or sleep of the device
 */
export async function fetchWhole(
  url: string,
  { signal, ...init }: RequestInit = {},
  onHead: (response: Response) => void = () => undefined,
  silenceMs = timings.requestSilenceMs,
): Promise<{ response: Response; body: Uint8Array<ArrayBuffer> }> {
  const silence = new AbortController()
  let movedAt = Date.now()
  let timer: ReturnType<typeof setTimeout> | undefined
  const giveUp = () => silence.abort(new Error(`Nothing came for ${silenceMs / 1000} s`))
  function moved() {
    clearTimeout(timer)
    if (Date.now() - movedAt > silenceMs) giveUp()
    silence.signal.throwIfAborted()
    movedAt = Date.now()
    timer = setTimeout(giveUp, silenceMs)
  }
  moved()
  try {
    const given = signal ? AbortSignal.any([signal, silence.signal]) : silence.signal
    const response = await fetch(url, { ...init, signal: given })
    moved()
    onHead(response)
    const pieces: Uint8Array[] = []
    for (const reader = response.body?.getReader(); reader;) {
      const { done, value } = await reader.read()
      if (done) break
      moved()
      pieces.push(value)
    }
    return { response, body: joined(pieces) }
  } finally {
    clearTimeout(timer)
  }
}

/** Not by a Blob: its contents go to the browser's process and back. */
function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
