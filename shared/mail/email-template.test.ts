import { describe, expect, it } from 'vitest'
import { customizationFields } from '#shared/events/event.ts'
import { approvalValues, fillTemplate, renderApprovalMail, unknownPlaceholders } from './email-template.ts'

const day = {
  startDate: '2026-03-01',
  endDate: '2026-03-01',
  startTime: null,
  endTime: null,
  timeZone: 'America/Chicago',
}
const place = { location: 'Pier 9', address: '', city: null }
const event = { name: 'Harbor Mixer', ...day, ...place, beaconInstructions: 'Come at 5.', promoCode: 'LIGHT' }
const values = approvalValues('Bea Moss', event)
const bare = approvalValues('Bea Moss', { ...event, beaconInstructions: null, promoCode: null })

describe('filling a template', () => {
  it.each([
    [
      'all six',
      '[Beacon Name]|[Event Name]|[Event Date]|[Event Location]|[Custom Instructions]|[Promo Code]',
      'Bea Moss|Harbor Mixer|March 1, 2026|Pier 9|Come at 5.|LIGHT',
    ],
    ['the same one twice', '[Promo Code] [Promo Code]', 'LIGHT LIGHT'],
    ['unknown ones, as they are', '[Something] [beacon name]', '[Something] [beacon name]'],
    ['nested brackets', '[[Promo Code]]', '[LIGHT]'],
    ['nothing', '', ''],
  ])('replaces %s', (_, template, text) => {
    expect(fillTemplate(template, values)).toBe(text)
  })

  it('leaves a name that looks like a placeholder or like a replacement pattern as text', () => {
    const odd = approvalValues('[Promo Code] $& $1 $`', event)
    expect(fillTemplate('Hi [Beacon Name]!', odd)).toBe('Hi [Promo Code] $& $1 $`!')
  })

  it('drops a line that holds only an empty placeholder, and no other line', () => {
    expect(fillTemplate('a\n [Promo Code] \nb', bare)).toBe('a\nb')
    expect(fillTemplate('a\n\n[Promo Code]\n\nb', bare)).toBe('a\n\nb')
    expect(fillTemplate('a\n\nYour code: [Promo Code]\n\nb', bare)).toBe('a\n\nb')
    expect(fillTemplate('Your code: [Promo Code], at: the door', bare)).toBe('Your code: , at: the door')
    expect(fillTemplate('[Something]\n[Custom Instructions][Promo Code]', bare)).toBe('[Something]')
    expect(fillTemplate('a\n\n[Promo Code]\n\nb', values)).toBe('a\n\nLIGHT\n\nb')
  })

  it('lists unknown placeholders once each', () => {
    expect(unknownPlaceholders('[Event Name] [Foo] [foo] [Foo] [] [a\nb]')).toEqual(['Foo', 'foo'])
  })
})

describe('a placeholder named hundreds of times', () => {
  const often = '[Custom Instructions]'.repeat(190)
  const template = { customBeaconEmailSubject: '[Foo]'.repeat(6), customQuestions: [], showDefaultQuestions: true }

  it('is refused when the template is saved', () => {
    const issues = (body: string) =>
      customizationFields.safeParse({ ...template, customBeaconEmailBody: body }).error?.issues
    expect(issues(often)).toMatchObject([
      { path: ['customBeaconEmailBody'], message: 'Please use [Custom Instructions] at most 5 times' },
    ])
    expect(issues('[Promo Code] [Event Name] '.repeat(5))).toBeUndefined()
  })
})

describe('the approval mail', () => {
  it('uses the default where the template is blank', () => {
    const mail = renderApprovalMail({ subject: '  ', body: null }, bare)
    expect(mail.subject).toBe("You're a Beacon for Harbor Mixer!")
    expect(mail.text).toContain('When: March 1, 2026\nWhere: Pier 9\n\nThank you')
  })

  it('has an event’s name of 64 letters whole in its subject', () => {
    const name = 'Harbor District Founders & Investors Autumn Welcome Evening 2026'
    const mail = renderApprovalMail({ subject: null, body: null }, approvalValues('Bea Moss', { ...event, name }))
    expect(mail.subject).toBe(`You're a Beacon for ${name}!`)
  })

  it('keeps line breaks and control characters out of the subject', () => {
    const values = approvalValues('Bea Moss', { ...event, name: 'Mixer\r\nBcc: everyone@example.com\u0000' })
    expect(renderApprovalMail({ subject: 'A\r\n[Event Name]', body: null }, values).subject).toBe('A Mixer Bcc:')
  })

  it('addresses a Beacon where no name may leave, or none is left of it', () => {
    for (const beaconName of ['', 'https://evil.example'])
      expect(renderApprovalMail({ subject: null, body: null }, approvalValues(beaconName, event)).text).toMatch(
        /^Hi Beacon,\n/,
      )
  })
})
