import { describe, expect, it } from 'vitest'
import { calendarFile, calendarFileName, calendarLinks, type CalendarEvent } from './calendar.ts'

const stampedAt = new Date('2026-02-01T08:00:00.000Z')
const origin = 'https://beaconry.example'

const evening: CalendarEvent = {
  id: 12,
  name: 'Founders & Funders Night',
  description: 'Two hundred founders.',
  startDate: '2026-03-07',
  endDate: '2026-03-07',
  startTime: '18:00',
  endTime: '21:30',
  timeZone: 'America/Chicago',
  location: 'theMART',
  address: '222 W Merchandise Mart Plaza',
  city: 'Chicago',
  state: 'Illinois',
  zipCode: '60654',
}

const file = (change: Partial<CalendarEvent> = {}) => calendarFile({ ...evening, ...change }, origin, stampedAt)
/** The lines as they were before folding. */
const unfolded = (text: string) => text.replaceAll('\r\n ', '').split('\r\n')
const lines = (change: Partial<CalendarEvent> = {}) => unfolded(file(change))
const line = (start: string, change: Partial<CalendarEvent> = {}) =>
  lines(change).find((text) => text.startsWith(start))

describe('when an event is', () => {
  it('an event starts and ends by the clocks of its own place', () => {
    expect([line('DTSTART'), line('DTEND')]).toEqual(['DTSTART:20260308T000000Z', 'DTEND:20260308T033000Z'])
  })

  it('an event without times fills its days, the last one too', () => {
    const days = { startTime: null, endTime: null, startDate: '2026-02-28', endDate: '2026-03-01' }
    expect([line('DTSTART', days), line('DTEND', days)]).toEqual([
      'DTSTART;VALUE=DATE:20260228',
      'DTEND;VALUE=DATE:20260302',
    ])
  })
})

describe('what a calendar shows of an event', () => {
  it('names the place in full and leads back to the event', () => {
    expect(line('LOCATION:')).toBe(
      String.raw`LOCATION:theMART\, 222 W Merchandise Mart Plaza\, Chicago\, Illinois 60654`,
    )
    expect(line('URL:')).toBe('URL:https://beaconry.example/events/12')
    expect(line('UID:')).toBe('UID:event-12@beaconry.example')
    expect(line('DTSTAMP:')).toBe('DTSTAMP:20260201T080000Z')
  })

  it('a start without an end is a moment; on several days it lasts through the last one', () => {
    expect(line('DTEND', { endTime: null })).toBeUndefined()
    expect(line('DTEND', { endTime: null, endDate: '2026-03-09' })).toBe('DTEND:20260310T050000Z')
  })

  it('an end without a start is said in words', () => {
    const text = line('DESCRIPTION:', { startTime: null })
    expect(text).toContain('until 9:30 PM CST')
    expect(line('DTSTART', { startTime: null })).toBe('DTSTART;VALUE=DATE:20260307')
  })

  it('texts cannot add lines of their own', () => {
    const hostile = { name: 'A;B,C\\D\r\nDTSTART:19990101T000000\nX:\u0000\u001b', description: 'a\r\nEND:VEVENT' }
    expect(line('SUMMARY:', hostile)).toBe(String.raw`SUMMARY:A\;B\,C\\D\nDTSTART:19990101T000000\nX:`)
    expect(lines(hostile).filter((text) => text === 'END:VEVENT')).toHaveLength(1)
    expect(lines(hostile)).toHaveLength(lines().length)
  })

  it('no line is longer than 75 bytes, and no character is cut in two', () => {
    const text = file({ name: `Añejo 🏮 ${'灯台'.repeat(60)}`, description: '—'.repeat(500) })
    for (const part of text.split('\r\n')) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(75)
    expect(unfolded(text)).toContain(`SUMMARY:Añejo 🏮 ${'灯台'.repeat(60)}`)
    expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true)
  })

  it.each([
    ['Founders & Funders Night', 'founders-funders-night.ics'],
    ['../..\\etc "passwd"\r\n', 'etc-passwd.ics'],
    ['灯台', 'event-12.ics'],
    ['Café Añejo', 'cafe-anejo.ics'],
  ])('the file of %j is called %s', (name, expected) => {
    expect(calendarFileName({ id: 12, name })).toBe(expected)
  })
})

describe('a file about an event that a calendar may hold already', () => {
  const news = (given: Parameters<typeof calendarFile>[3]) => unfolded(calendarFile(evening, origin, stampedAt, given))

  it('names the same entry, says how new it is and what is to be done', () => {
    expect(news({ sequence: 4, method: 'PUBLISH' })).toEqual(
      expect.arrayContaining(['METHOD:PUBLISH', 'UID:event-12@beaconry.example', 'SEQUENCE:4', 'STATUS:CONFIRMED']),
    )
    expect(news({ sequence: 5, method: 'CANCEL' })).toEqual(
      expect.arrayContaining(['METHOD:CANCEL', 'UID:event-12@beaconry.example', 'SEQUENCE:5', 'STATUS:CANCELLED']),
    )
  })

  it('says neither in a plain download', () => {
    expect(lines().filter((text) => /^(METHOD|SEQUENCE)/.test(text))).toEqual([])
  })
})

it('no text can begin a line of its own, whichever character some program takes for a line break', () => {
  for (const lineBreak of ['\r\n', '\n', '\r', '\u0085', '\u2028', '\u2029', '\v', '\f']) {
    const name = `Night${lineBreak}ATTENDEE:mailto:eve@example.com`
    const text = file({ name, location: name, description: name })
    expect(text).not.toMatch(/(^|[\r\n\u0085\u2028\u2029\v\f])ATTENDEE/)
  }
})

describe('the links to calendars of others', () => {
  const links = (change: Partial<CalendarEvent> = {}) => {
    const { google, outlook, outlookAtWork } = calendarLinks({ ...evening, ...change }, origin)
    return { google: new URL(google), outlook: new URL(outlook), outlookAtWork: new URL(outlookAtWork) }
  }
  const spans = (change: Partial<CalendarEvent>) => {
    const { google, outlook } = links(change)
    const asked = (name: string) => outlook.searchParams.get(name)
    return [google.searchParams.get('dates'), asked('startdt'), asked('enddt'), asked('allday')]
  }

  it.each([
    ['in winter', {}, ['20260308T000000Z/20260308T033000Z', '2026-03-08T00:00:00Z', '2026-03-08T03:30:00Z', null]],
    [
      'across a change of the clocks',
      { startDate: '2026-03-07', endDate: '2026-03-08' },
      ['20260308T000000Z/20260309T023000Z', '2026-03-08T00:00:00Z', '2026-03-09T02:30:00Z', null],
    ],
    [
      'without times, on all its days',
      { startTime: null, endTime: null, endDate: '2026-03-08' },
      ['20260307/20260309', '2026-03-07', '2026-03-09', 'true'],
    ],
    ['with an end alone, on its day', { startTime: null }, ['20260307/20260308', '2026-03-07', '2026-03-08', 'true']],
    [
      'without an end: none is invented',
      { endTime: null },
      ['20260308T000000Z/20260308T000000Z', '2026-03-08T00:00:00Z', '2026-03-08T00:00:00Z', null],
    ],
    [
      'without an end, but over days',
      { endTime: null, endDate: '2026-03-08' },
      ['20260308T000000Z/20260309T050000Z', '2026-03-08T00:00:00Z', '2026-03-09T05:00:00Z', null],
    ],
  ])('say when it is: %s', (_case, change, expected) => {
    expect(spans(change)).toEqual(expected)
  })

  it('lead nowhere but to their services, whatever the texts are', () => {
    const hostile = '&text=x#y?https://evil.example/ "><b>\r\n\ud800 é 東京'
    const { google, outlook, outlookAtWork } = links({ name: hostile, description: hostile, location: hostile })
    expect([google, outlook, outlookAtWork].map(({ origin: host, pathname }) => host + pathname)).toEqual([
      'https://calendar.google.com/calendar/render',
      'https://outlook.live.com/calendar/0/deeplink/compose',
      'https://outlook.office.com/calendar/0/deeplink/compose',
    ])
    const read = hostile.replace('\ud800', '\ufffd')
    expect([...google.searchParams.keys()]).toEqual(['action', 'text', 'dates', 'location', 'details'])
    expect([google.searchParams.get('text'), outlook.searchParams.get('subject')]).toEqual([read, read])
    expect(google.hash + outlook.hash).toBe('')
    expect(google.search + outlook.search).not.toContain('+')
  })

  it('carry the beginning of a long description, and always the address', () => {
    const { google, outlook } = links({ description: '🎉'.repeat(9000), startTime: null })
    const details = google.searchParams.get('details') ?? ''
    expect(details).toMatch(/^until 9:30 PM CST\n\n🎉{499}…\n\nhttps:\/\/beaconry\.example\/events\/12$/u)
    expect(outlook.searchParams.get('body')).toBe('until 9:30 PM CST\n\nhttps://beaconry.example/events/12')
    expect(google.href.length).toBeLessThan(8000)
  })
})
