import { describe, expect, it } from 'vitest'
import { coverOf } from '#shared/events/cover.ts'
import { drawPreview, withCover, type PreviewDrawing } from './preview-drawing.ts'

const event = {
  id: 7,
  coverPalette: 'Moss',
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
const draw = (change: Partial<typeof event> & { coverHash?: string } = {}) =>
  drawPreview({ ...event, ...change } as Parameters<typeof drawPreview>[0])
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

  it('has the scene and the colors of the event’s own cover', () => {
    const { colors, shapes } = coverOf(event.id, 'Moss')
    const { svg } = draw()
    for (const { d } of shapes) expect(svg).toContain(`d="${d}"`)
    expect(svg).toContain(colors.sky)
    expect(draw({ coverPalette: 'Rose' }).svg).toContain(coverOf(event.id, 'Rose').colors.sky)
  })

  it('has the uploaded cover in place of the scene, whose pixels come with the painting', () => {
    const drawing = draw({ coverHash: 'f'.repeat(64) })
    expect(drawing.cover).toEqual({ eventId: 7, hash: 'f'.repeat(64) })
    expect(drawing.svg).not.toContain('data:')
    const { svg } = withCover(drawing, { type: 'image/jpeg', body: Buffer.from('pixels') })
    expect(svg).toContain(`<image href="data:image/jpeg;base64,${Buffer.from('pixels').toString('base64')}"`)
    expect(draw().cover).toBeUndefined()
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
