import { domainToASCII } from 'node:url'
import * as fc from 'fast-check'
import addressparser from 'nodemailer/lib/addressparser'
import { expect, it } from 'vitest'
import { mailKinds } from '#shared/mail/mail.ts'
import { largestMailBytes } from '#shared/mail/mail-size.ts'
import { canary, playEventStory, plain, type EventStory, type TypedValues } from '../testing/event-story.ts'
import { setOrganizerPost } from '../testing/mail/mail-post.ts'
import { headerOf, leavesOf, type MimePart } from '../testing/mail/mime.ts'
import { sized } from '../testing/proof-size.ts'
import { setPushStage } from '../testing/push/push-stage.ts'
import { strangersAddress, strangersText } from '../testing/stranger-values.ts'

const stage = await setPushStage()
const post = await setOrganizerPost(stage)

const nasty: fc.Arbitrary<TypedValues> = fc.record({
  username: strangersText(40, canary),
  organizationName: strangersText(120, 'Club'),
  name: strangersText(160, 'Night'),
  description: strangersText(8000, 'About'),
  location: strangersText(200, 'Pier'),
  address: strangersText(300, 'Way'),
  city: strangersText(100, 'City'),
  beaconInstructions: strangersText(4000, 'Come'),
  promoCode: strangersText(80, 'Code'),
  newLocation: strangersText(200, 'Dock'),
  subject: strangersText(200, 'Welcome [Beacon Name]'),
  body: strangersText(4_000, 'Hi [Beacon Name], [Event Name] [Event Location] [Custom Instructions] [Promo Code]'),
  question: strangersText(500, 'Why'),
  firstName: strangersText(80, canary),
  lastName: strangersText(80, canary),
  company: strangersText(120, canary),
  bio: strangersText(3000, canary),
  email: strangersAddress,
  otherEmail: strangersAddress,
})

/** What the mails of plain values are made of: nobody else's may be made of more. */
function anatomyOf({ mails, pushes }: EventStory) {
  return {
    kinds: new Set(mails.map(({ kind }) => kind)),
    headers: new Set(mails.flatMap(({ mime }) => namesIn(mime))),
    shapes: new Set(mails.map(({ mime }) => shapeOf(mime))),
    elements: new Set(mails.flatMap(({ html }) => elementsOf(html))),
    calendars: new Set(mails.flatMap(({ calendar }) => (calendar ? [propertiesOf(calendar)] : []))),
    alerts: new Set(pushes.map(keysOf)),
  }
}

const namesIn = (part: MimePart) => part.headers.map(([name]) => name)
const shapeOf = (mime: MimePart) =>
  leavesOf(mime)
    .map((leaf) => `${leaf.type}(${namesIn(leaf).join()})`)
    .join(' ')
/** Elements with all they carry, but for where a link leads. */
const elementsOf = (html: string) => (html.match(/<[^>]*>/g) ?? []).map((tag) => tag.replace(/href="[^"]*"/, 'href'))
const linksIn = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, address = '']) => address)
const propertiesOf = (calendar: string) =>
  calendar
    .replaceAll('\r\n ', '')
    .split('\r\n')
    .map((line) => (/^(BEGIN|END|METHOD):/.test(line) ? line : line.split(/[:;]/)[0]))
    .join()
const keysOf = (json: string) => {
  const keys = (value: unknown): unknown =>
    typeof value === 'object' && value !== null ? Object.entries(value).map(([key, inner]) => [key, keys(inner)]) : null
  return JSON.stringify(keys(JSON.parse(json)))
}

const ownLink =
  /^https:\/\/beaconry\.example\/(events\/\d+\/apply#application=[\w.-]+|events\/manage\/\d+\?for=\d+|events|unsubscribe\/[\w.-]+|contact|account-settings|auth#(forgot|(reset|verify)=[\w-]+))$/
// eslint-disable-next-line no-control-regex
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/

/** Mails to whoever may not be the one who typed: not a word of it. */
const silentAbout = new Set<string>(['acknowledgement', 'verify-email'])

function check(story: EventStory, known: ReturnType<typeof anatomyOf>): void {
  expect(new Set(story.mails.map(({ kind }) => kind))).toEqual(known.kinds)
  for (const mail of story.mails) {
    const { mime, html, calendar } = mail
    const leaves = leavesOf(mime)

    expect(Buffer.byteLength(mail.raw)).toBeLessThanOrEqual(largestMailBytes)
    // One recipient on the envelope, one in the header, both as they were given.
    expect(mail.from).toBe('hello@beaconry.example')
    expect(mail.to).toHaveLength(1)
    expect([...story.addresses].map((one) => one.replace(/[^@]+$/, domainToASCII))).toContain(mail.to[0])
    const inHeader = addressparser(mime.headers.find(([name]) => name === 'to')?.[1] ?? '', { flatten: true })
    expect(inHeader.map(({ address }) => address)).toEqual(mail.to)
    expect(headerOf(mime, 'from')).toBe('Beaconry <hello@beaconry.example>')

    for (const name of namesIn(mime)) {
      expect(known.headers).toContain(name)
      expect(headerOf(mime, name)).not.toMatch(controls)
    }
    expect(known.shapes).toContain(shapeOf(mime))

    for (const element of elementsOf(html)) expect(known.elements).toContain(element)
    expect(html.replace(/<[^>]*>/g, '')).not.toMatch(/[<>]/)
    for (const address of linksIn(html)) expect(address).toMatch(ownLink)
    expect(mail.text.replace(/[\n\t]/g, '')).not.toMatch(controls)
    if (silentAbout.has(mail.kind)) {
      expect([headerOf(mime, 'to'), mail.subject, ...leaves.map(({ content }) => content)].join()).not.toContain(canary)
    }

    if (calendar !== undefined) {
      expect(known.calendars).toContain(propertiesOf(calendar))
      expect(calendar.replaceAll('\r\n', '')).not.toMatch(/[\r\n\u0085\u2028\u2029]/)
      for (const line of calendar.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    }
  }

  for (const push of story.pushes) {
    const { notification } = JSON.parse(push) as { notification: Record<'title' | 'body' | 'navigate', string> }
    expect(known.alerts).toContain(keysOf(push))
    expect(notification.navigate).toMatch(
      /^https:\/\/beaconry\.example\/events\/manage\/\d+\?for=\d+(&application=\d+)?$/,
    )
    expect(notification.title + notification.body).not.toMatch(controls)
    expect(push).not.toContain(canary)
    expect(Buffer.byteLength(push)).toBeLessThanOrEqual(3993)
  }
}

const lives = sized(16, 3)
const seed = sized(20_261_121, 4)

it(
  'no stranger’s value adds a recipient, header, link or tag to a mail, calendar or alert',
  { timeout: 600_000 },
  async () => {
    const model = await playEventStory(stage, post, plain)
    const known = anatomyOf(model)
    expect([...known.kinds].sort()).toEqual([...mailKinds].sort())
    expect([known.calendars.size, known.alerts.size]).toEqual([2, 1])
    check(model, known)

    let addressesTaken = 0
    await fc.assert(
      fc.asyncProperty(nasty, async (values) => {
        const story = await playEventStory(stage, post, values)
        const typed = [values.email, values.otherEmail]
        addressesTaken += typed.filter((address) => story.addresses.has(address.trim())).length
        check(story, known)
      }),
      { seed, numRuns: lives, endOnFailure: true },
    )
    // Some of the addresses were none.
    expect(addressesTaken).toBeGreaterThan(0)
    expect(addressesTaken).toBeLessThan(2 * lives)
  },
)

it.each([...sized(['x.', '🎉', '[Event Name] [Event Location] ', 'a\n\n'], []), '漢', `"&`])(
  'no mail is larger than 20 kB where every field is filled with %j',
  { timeout: 300_000 },
  async (piece) => {
    const filled = (longest: number) => piece.repeat(longest).slice(0, longest).toWellFormed().trim()
    const story = await playEventStory(stage, post, {
      ...plain,
      username: `Club ${piece.codePointAt(0)}`,
      email: `ana${piece.codePointAt(0)}@canary.example`,
      otherEmail: `cy${piece.codePointAt(0)}@canary.example`,
      name: filled(160),
      description: filled(8_000),
      location: filled(200),
      address: filled(300),
      city: filled(100),
      beaconInstructions: filled(4_000),
      promoCode: filled(80),
      newLocation: `New ${filled(196)}`,
      subject: `[Event Name] ${filled(187)}`,
      body: `[Custom Instructions][Event Location]${filled(3_963)}`,
      firstName: filled(80),
      lastName: filled(80),
    })
    expect(new Set(story.mails.map(({ kind }) => kind)).size).toBe(mailKinds.length)
    const tooLarge = story.mails.filter(({ raw }) => Buffer.byteLength(raw) > largestMailBytes)
    expect(tooLarge.map(({ kind, raw }) => [kind, Buffer.byteLength(raw)])).toEqual([])
  },
)
