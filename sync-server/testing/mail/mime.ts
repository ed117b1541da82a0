/** A mail, or a part of one, as its bytes say it: nothing is repaired. */
export interface MimePart {
  /** In their order, names in lower case; values unfolded, still encoded. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** In lower case, without parameters. */
  readonly type: string
  /** The parts of a multipart; empty for a leaf. */
  readonly parts: readonly MimePart[]
  /** A leaf's content, decoded; empty for a multipart. */
  readonly content: string
}

/**
 * Reads a mail as strictly as mail programs read it loosely.
 * @throws when a header line is none, or a line break is not CR LF
 */
export function parseMime(raw: string): MimePart {
  if (/[^\r]\n|\r[^\n]/.test(raw)) throw new Error('a line break that is not CR LF')
  const end = raw.indexOf('\r\n\r\n')
  const headers = headersOf(end === -1 ? raw : raw.slice(0, end))
  const body = end === -1 ? '' : raw.slice(end + 4)
  const contentType = headers.find(([name]) => name === 'content-type')?.[1] ?? 'text/plain'
  const type = (contentType.split(';')[0] ?? '').trim().toLowerCase()
  const boundary = /boundary="?([^";]+)"?/i.exec(contentType)?.[1]
  if (!type.startsWith('multipart/') || boundary === undefined) {
    return { headers, type, parts: [], content: decodeBody(body, headers) }
  }
  const pieces = `\r\n${body}`.split(`\r\n--${boundary}`)
  if (!pieces.at(-1)?.startsWith('--')) throw new Error('a multipart without its end')
  return { headers, type, parts: pieces.slice(1, -1).map((piece) => parseMime(piece.slice(2))), content: '' }
}

/** Every part that is not made of parts. */
export function leavesOf(part: MimePart): MimePart[] {
  return part.parts.length === 0 ? [part] : part.parts.flatMap(leavesOf)
}

/** The decoded value of a header that stands there once; undefined when it is missing. */
export function headerOf({ headers }: MimePart, wanted: string): string | undefined {
  const found = headers.filter(([name]) => name === wanted)
  if (found.length > 1) throw new Error(`${wanted} stands there ${found.length} times`)
  const [header] = found
  return header && decodeWords(header[1])
}

function headersOf(head: string): [string, string][] {
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  return lines.map((line) => {
    const [, name, value] = /^([!-9;-~]+): ?(.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) throw new Error(`not a header: ${line.slice(0, 60)}`)
    return [name.toLowerCase(), value]
  })
}

function decodeBody(body: string, headers: readonly (readonly [string, string])[]): string {
  const encoding = headers.find(([name]) => name === 'content-transfer-encoding')?.[1].toLowerCase()
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return body
  return Buffer.from(unquote(body.replace(/=\r\n/g, '')), 'latin1').toString('utf8')
}

const unquote = (text: string) =>
  text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))

/** RFC 2047: `=?utf-8?Q?…?=`; white space between two of them does not count. */
export function decodeWords(value: string): string {
  return value
    .replace(/(\?=)\s+(?==\?)/g, '$1')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, how: string, text: string) =>
      (how.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64')
        : Buffer.from(unquote(text.replaceAll('_', ' ')), 'latin1')
      ).toString('utf8'),
    )
}
