import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { afterAll, expect, it } from 'vitest'
import { addSubscription, UNLIMITED } from '../testing/billing-rows.ts'
import { fullSize, sized } from '../testing/proof-size.ts'
import { eventBody } from '../testing/route-rig.ts'
import { prepareServerProcess } from '../testing/server-process.ts'
import { setTestDatabase } from '../testing/test-database.ts'
import { createClient } from '../testing/test-server.ts'

const { db, connectionString } = await setTestDatabase()
const server = await prepareServerProcess({ DATABASE_URL: connectionString, DEMO_MODE: '0' }, { fromSource: true })
afterAll(() => server.kill())
await server.start()
const client = () => createClient(server.origin, { publicOrigin: server.origin }, db)

const account = { username: 'Olivia', email: 'olivia@example.com', password: 'a long password' }
const olivia = client()
await addSubscription(db, (await olivia.ok('register', { body: account })).id, UNLIMITED)
const { id } = await olivia.ok('createEvent', { body: eventBody() })

const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: '#f0a03080' } })
const cut = (file: Buffer) => file.subarray(0, -200)
/** The largest of each kind that are decoded at all. */
const kinds: [string, () => Promise<Buffer>][] = [
  [
    'PNGs, interlaced, with 16 bits and cut at their end',
    async () => cut(await flat(2000, 2000).toColourspace('rgb16').png({ progressive: true }).toBuffer()),
  ],
  ['PNGs of 12 megapixels', async () => await flat(4000, 3000).png().toBuffer()],
  ['lossless WebPs of 12 megapixels', async () => await flat(4000, 3000).webp({ lossless: true }).toBuffer()],
  [
    'progressive JPEGs',
    async () => await flat(2000, 2000).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
  ],
]

/** Of the server and the processes that it started, without the files that they share. */
function memoryMB(): number {
  const pid = server.pid()
  const ofProcess = (one: number | string) => {
    try {
      return Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${one}/status`, 'latin1'))?.[1] ?? 0) / 1024
    } catch {
      // It has just ended.
      return 0
    }
  }
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ')
  return [pid, ...children].reduce<number>((sum, one) => sum + ofProcess(one), 0)
}

async function signInMs(): Promise<number> {
  const { email, password } = account
  const startedAt = performance.now()
  await client().ok('login', { body: { email, password } })
  return performance.now() - startedAt
}
const median = (numbers: number[]) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)]!

/** Lets people sign in, one after the other, until it is told to end; answers how long each took. */
async function signIns(isOver: (n: number) => boolean): Promise<number[]> {
  const times: number[] = []
  while (!isOver(times.length)) times.push(await signInMs())
  return times
}

let highestMB = 0
const sampling = setInterval(() => (highestMB = Math.max(highestMB, memoryMB())), 10)
afterAll(() => clearInterval(sampling))
// Sign-ins alone let a new server grow by a sixth, and the proof makes hundreds of them.
for (let round = 0; round < sized(5, 1); round += 1) {
  await db('rate_limits').del()
  await signIns((n) => n === 20)
}
const beforePicturesMB = highestMB

it.each(sized(kinds, kinds.slice(0, 1)))('sixteen %s at once delay no sign-in and fill no memory', async (_, make) => {
  const body = { picture: (await make()).toString('base64') }
  const idle: number[] = []
  const busy: number[] = []
  const statuses: number[] = []
  for (let round = 0; round < sized(5, 3); round += 1) {
    await db('rate_limits').del()
    idle.push(...(await signIns((n) => n === 5)))
    let isOver = false
    const answers = Promise.all(
      Array.from({ length: 16 }, () => olivia.call('setEventCover', { params: { id }, body })),
    ).finally(() => (isOver = true))
    busy.push(...(await signIns(() => isOver)))
    statuses.push(...(await answers).map(({ status }) => status))
  }
  expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(0)
  expect(statuses.filter((status) => status === 200 || status === 400).length).toBeGreaterThan(4)
  // Other work on the machine delays them, too.
  if (fullSize) expect(median(busy)).toBeLessThan(3 * median(idle))
  expect(highestMB - beforePicturesMB).toBeLessThan(150)
})
