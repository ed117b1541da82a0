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

  it.each([
    [
      'three days from 6 PM, across a change of the clocks: an entry each',
      { endDate: '2026-03-09' },
      ['0308T000000Z/0308T033000Z', '0308T230000Z/0309T023000Z', '0309T230000Z/0310T023000Z'],
    ],
    [
      'two nights that end after midnight: an entry each',
      { endDate: '2026-03-09', endTime: '01:00' },
      ['0308T000000Z/0308T070000Z', '0308T230000Z/0309T060000Z'],
    ],
    ['one night under two dates: one', { endDate: '2026-03-08', endTime: '01:00' }, ['0308T000000Z/0308T070000Z']],
    ['one night under one date: one', { endTime: '01:00' }, ['0308T000000Z/0308T070000Z']],
    [
      'from an evening to the next afternoon: one',
      { endDate: '2026-03-08', endTime: '17:00' },
      ['0308T000000Z/0308T220000Z'],
    ],
  ])('a calendar gets, of %s', (_, change, spans) => {
    const all = (name: string) =>
      lines(change).flatMap((text) => (text.startsWith(name) ? [text.slice(name.length)] : []))
    const ends = all('DTEND:2026')
    expect(all('DTSTART:2026').map((start, day) => `${start}/${ends[day]}`)).toEqual(spans)
    expect(new Set(all('UID:')).size).toBe(spans.length)
  })

  it.each([
    ['20:00', '02:00', '0314T020000Z/0314T080000Z'],
    ['20:00', '02:30', '0314T020000Z/0314T083000Z'],
  ])('a night from %s to %s, an hour that spring skips, keeps its length', (startTime, endTime, span) => {
    const night = { startDate: '2027-03-13', endDate: '2027-03-13', startTime, endTime }
    expect(`${line('DTSTART:2027', night)?.slice(12)}/${line('DTEND:2027', night)?.slice(10)}`).toBe(span)
  })

  it.each([
    ['01:45', '02:15', ['DTSTART:20270314T074500Z', 'DTEND:20270314T081500Z']],
    ['02:30', '03:00', ['DTSTART:20270314T083000Z', undefined]],
  ])('no entry ends before it starts: from %s to %s', (startTime, endTime, expected) => {
    const event = { startDate: '2027-03-14', endDate: '2027-03-14', startTime, endTime }
    expect([line('DTSTART', event), line('DTEND', event)]).toEqual(expected)
  })

  it.each([
    ['20:00', '01:00'],
    [null, null],
    ['20:00', null],
  ])('a day after which no year has four digits makes a file, from %s to %s', (startTime, endTime) => {
    const days = { startDate: '9999-12-31', endDate: '9999-12-31', timeZone: 'Pacific/Honolulu' }
    const last = lines({ ...days, startTime, endTime })
    expect(last.filter((text) => text === 'BEGIN:VEVENT')).toHaveLength(1)
    expect(last.some((text) => text.includes('NaN') || text.includes('+'))).toBe(false)
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

  it.each([
    ['fewer days', { endDate: '2026-03-08' }, ['CONFIRMED', 'CONFIRMED', 'CANCELLED']],
    ['no times', { startTime: null, endTime: null }, ['CONFIRMED', 'CANCELLED', 'CANCELLED']],
    ['more days', { endDate: '2026-03-10' }, ['CONFIRMED', 'CONFIRMED', 'CONFIRMED', 'CONFIRMED']],
  ])('takes out the days that an event of three days has lost: %s', (_, change, statuses) => {
    const known = { ...evening, endDate: '2026-03-09' }
    const sent = unfolded(
      calendarFile({ ...known, ...change }, origin, stampedAt, { sequence: 4, method: 'PUBLISH', known }),
    )
    const all = (name: string) => sent.filter((text) => text.startsWith(name)).map((text) => text.slice(name.length))
    expect(all('STATUS:')).toEqual(statuses)
    expect(all('UID:').at(2)).toBe('event-12-day-3@beaconry.example')
    expect(all('DTSTART').at(2)).toBe(':20260309T230000Z')
  })

  it('says neither in a plain download', () => {
    expect(lines().filter((text) => /^(METHOD|SEQUENCE)/.test(text))).toEqual([])
  })
})

it('no text can begin a line of its own, whatever a program takes for a line break', () => {
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
      'on two days, the first of them',
      { startDate: '2026-03-07', endDate: '2026-03-08' },
      ['20260308T000000Z/20260308T033000Z', '2026-03-08T00:00:00Z', '2026-03-08T03:30:00Z', null],
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

  it('repeat several days where a link can, and name them where it cannot', () => {
    const { google, outlook } = links({ endDate: '2026-03-09' })
    expect(google.searchParams.get('recur')).toBe('RRULE:FREQ=DAILY;COUNT=3')
    expect(google.searchParams.get('ctz')).toBe('America/Chicago')
    expect(outlook.searchParams.get('body')).toContain('March 7–9, 2026')
    expect(links().google.searchParams.get('recur')).toBeNull()
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
