import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'

/**
 * A backup is gzipped text: `beaconry-backup 1 {…}`; for each table `table <name>`, rows as JSON of one line each, `end
 * <rows> <sha256>`; `sequence <name> <last value>` for each sequence in use; `complete`.
 */
export type BackupLine =
  | { readonly kind: 'head'; readonly takenAt: string; readonly migrations: readonly string[] }
  | { readonly kind: 'table'; readonly table: string }
  | { readonly kind: 'row'; readonly json: string }
  | { readonly kind: 'end'; readonly rows: number; readonly sha256: string }
  | { readonly kind: 'sequence'; readonly sequence: string; readonly lastValue: string }
  | { readonly kind: 'complete' }

export class BrokenBackup extends Error {
  override readonly name = 'BrokenBackup'
}

export function formatLine(line: BackupLine): string {
  switch (line.kind) {
    case 'head':
      return `beaconry-backup 1 ${JSON.stringify({ takenAt: line.takenAt, migrations: line.migrations })}\n`
    case 'table':
      return `table ${line.table}\n`
    case 'row':
      return `${line.json}\n`
    case 'end':
      return `end ${line.rows} ${line.sha256}\n`
    case 'sequence':
      return `sequence ${line.sequence} ${line.lastValue}\n`
    case 'complete':
      return 'complete\n'
  }
}

function parseLine(text: string): BackupLine {
  // Only a row is an object's JSON.
  if (text.startsWith('{')) return { kind: 'row', json: text }
  const [word, first = '', ...rest] = text.split(' ')
  if (word === 'beaconry-backup' && first === '1') return parseHead(rest.join(' '))
  if (word === 'beaconry-backup') throw new BrokenBackup('The backup was made by a newer Beaconry.')
  if (word === 'table') return { kind: 'table', table: first }
  if (word === 'end') return { kind: 'end', rows: Number(first), sha256: rest.join('') }
  if (word === 'sequence') return { kind: 'sequence', sequence: first, lastValue: rest.join('') }
  if (text === 'complete') return { kind: 'complete' }
  throw new BrokenBackup(`The backup has a line that means nothing: ${text.slice(0, 40)}`)
}

function parseHead(json: string): BackupLine {
  const { takenAt, migrations } = JSON.parse(json) as { takenAt: string; migrations: string[] }
  return { kind: 'head', takenAt, migrations }
}

/**
 * @throws BrokenBackup when the file is none, damaged or cut off, at the latest after the last line was handed over: what
 * was done with the lines must then be undone.
 */
export async function readBackup(file: string, take: (line: BackupLine) => Promise<void>): Promise<void> {
  let last: BackupLine | undefined
  const read = async (text: string) => {
    const line = parseLine(text)
    if (last === undefined && line.kind !== 'head') throw new BrokenBackup(`${file} is not a backup of Beaconry.`)
    last = line
    await take(line)
  }
  const packed = createReadStream(file)
  const unpacked = createGunzip()
  packed.on('error', (error) => unpacked.destroy(error)).pipe(unpacked)
  try {
    for await (const text of linesOf(unpacked)) await read(text)
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'ENOENT') throw new BrokenBackup(`There is no file ${file}.`)
    if (code === 'Z_DATA_ERROR' || code === 'Z_BUF_ERROR')
      throw new BrokenBackup(`${file} is not a backup of Beaconry, or it is damaged.`)
    throw error
  } finally {
    packed.destroy()
  }
  if (last?.kind !== 'complete') throw new BrokenBackup(`${file} is cut off.`)
}

async function* linesOf(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of source) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}
