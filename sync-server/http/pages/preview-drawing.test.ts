import { describe, expect, it } from 'vitest'
import { drawPreview, type PreviewDrawing } from './preview-drawing.ts'
import { keepPictures } from './preview-picture.ts'

const event = {
  name: 'Founders Night',
  location: 'theMART',
  city: 'Chicago',
  state: 'Illinois' as const,
  organizer: { name: 'Lantern Street Events', contactEmail: null },
  startDate: '2026-03-07',
  endDate: '2026-03-07',
  startTime: '18:00',
  endTime: '21:30',
  timeZone: 'America/Chicago',
}
const draw = (change: Partial<typeof event> = {}) => drawPreview({ ...event, ...change })
const texts = ({ svg }: PreviewDrawing) => [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text)
const tags = ({ svg }: PreviewDrawing) => svg.match(/<[^>]*>/g)

describe('the picture of an event', () => {
  it('says what, when, where and who', () => {
    expect(texts(draw())).toEqual([
      'Beaconry',
      'Founders Night',
      'March 7, 2026 · 6:00 PM – 9:30 PM CST',
      'theMART, Chicago, Illinois',
      'Hosted by Lantern Street Events',
    ])
  })

  it('breaks a long name into three lines at most, and cuts the rest', () => {
    const name = 'The Seventeenth Annual Great Lakes Conference of Lighthouse Keepers, Pilots and Harbour Masters'
    expect(texts(draw({ name })).slice(1, 4)).toEqual([
      'The Seventeenth Annual',
      'Great Lakes Conference of',
      'Lighthouse Keepers, Pilots…',
    ])
    expect(texts(draw({ name: 'W'.repeat(90) })).slice(1, 4)).toEqual([
      'W'.repeat(13),
      'W'.repeat(13),
      `${'W'.repeat(13)}…`,
    ])
  })

  it('leaves the times, then the city out where they do not fit', () => {
    const location = 'A Convention Center on the Eleventh Floor'
    const drawn = texts(draw({ startDate: '2026-12-30', endDate: '2027-01-02', location }))
    expect(drawn.slice(2, 4)).toEqual(['December 30, 2026 – January 2, 2027', `${location}, Chicago`])
  })

  it('gains nothing but text from an event, whatever is written there', () => {
    const hostile = '</text><image href="file:///etc/passwd"/>\u0000\u0008\ufffe\ud800&#1;\'"<![CDATA['
    const drawing = draw({ name: hostile, location: hostile, organizer: { name: hostile, contactEmail: null } })
    expect(new Set(tags(drawing)?.map((tag) => tag.replace(/ .*/, '')))).toEqual(
      new Set(tags(draw())?.map((tag) => tag.replace(/ .*/, ''))),
    )
    expect(drawing.svg).not.toMatch(/[^\P{Cc}\n]|[\p{Cs}\ufffe]/u)
    expect(texts(drawing).join(' ')).toContain('&lt;/text&gt;')
  })

  it('tells which letters other fonts must write, and leaves emoji out', () => {
    expect(draw({ name: 'Žižka’s Đường 🎉 Night' })).toMatchObject({ foreign: [] })
    expect(texts(draw({ name: '🎉 Party 👩‍🚀🇺🇸!' }))[1]).toBe('Party !')
    expect(draw({ name: '東京 Night' }).foreign).toEqual(['東', '京'])
  })
})

describe('pictures that many ask for', () => {
  const drawing = draw()
  /** Pictures that are being painted, each with its end. */
  function painter() {
    const begun: { end: (png?: Buffer) => void; fail: () => void }[] = []
    const pictures = keepPictures(
      () =>
        new Promise((resolve, reject) =>
          begun.push({ end: (png = Buffer.from('png')) => resolve(png), fail: () => reject(new Error('no')) }),
        ),
    )
    return { begun, ask: (key: string) => pictures(key, drawing) }
  }

  it('are each painted once, also for those who ask meanwhile', async () => {
    const { begun, ask } = painter()
    const all = [ask('one'), ask('one'), ask('one')]
    expect(begun.length).toBe(1)
    begun[0]?.end()
    await Promise.all(all)
    expect(await ask('one')).toEqual(Buffer.from('png'))
    expect(begun.length).toBe(1)
  })

  it('are painted two at a time; twenty wait, and who comes then is sent away', async () => {
    const { begun, ask } = painter()
    const asked = Array.from({ length: 22 }, (_, index) => ask(String(index)))
    expect(begun.length).toBe(2)
    expect(await ask('one more')).toBe('busy')
    for (let index = 0; index < 22; index += 1) {
      await expect.poll(() => begun.length).toBeGreaterThan(index)
      begun[index]?.end()
    }
    await Promise.all(asked)
    expect(begun.length).toBe(22)
  })

  it('are forgotten when painting failed, and the oldest when there are a hundred', async () => {
    const { begun, ask } = painter()
    const failing = ask('0')
    begun[0]?.fail()
    await expect(failing).rejects.toThrow('no')
    for (let index = 0; index <= 100; index += 1) {
      const asked = ask(String(index))
      begun[index + 1]?.end()
      await asked
    }
    expect(begun.length).toBe(102)
    void ask('100')
    expect(begun.length, 'the newest is known').toBe(102)
    void ask('0')
    expect(begun.length, 'the oldest is not').toBe(103)
  })
})
