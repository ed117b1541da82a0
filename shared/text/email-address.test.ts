import { describe, expect, it } from 'vitest'
import { emailAddress, emailAddressOrNull } from './email-address.ts'

const answerTo = (text: string) => {
  const { success, data, error } = emailAddress.safeParse(text)
  return success ? data : error.issues.map(({ message }) => message)
}

describe('an email address', () => {
  it.each([
    'bea@example.com',
    'bea.moss+night@mail.example.co.uk',
    "o'bea_1-2@example.com",
    'tom&jerry@example.com',
    'bea/moss=1!$*^`{|}~@example.com',
    'josé@example.com',
    'दीपा@example.com',
    'post@xn--e1afmkfd.xn--p1ai',
  ])('is taken as typed: %s', (address) => {
    expect(answerTo(` ${address} `)).toBe(address)
  })

  it.each([
    ['post@пример.рф', 'post@xn--e1afmkfd.xn--p1ai'],
    ['用户@例え.テスト', '用户@xn--r8jz45g.xn--zckzah'],
    ['bea@Grüße-2.example', 'bea@xn--gre-2-mqa6r.example'],
  ])('has its domain as browsers hand it over: %s', (address, kept) => {
    expect(answerTo(address)).toBe(kept)
    expect(answerTo(kept)).toBe(kept)
  })

  it('is one address however its letters are composed', () => {
    expect(answerTo('josé@example.com'.normalize('NFD'))).toBe('josé@example.com'.normalize('NFC'))
  })

  it.each([
    'bea',
    'bea@',
    '@example.com',
    'bea@example',
    'bea@пример',
    'bea moss@example.com',
    'bea@exam ple.com',
    'bea@example.com,eve@example.com',
    'bea,eve@example.com',
    'bea;eve@example.com',
    'bea@moss@example.com',
    'bea\u0000@example.com',
    'bea@example.com\r\nBcc: eve@example.com',
    'be\u200ba@example.com',
    'bea\u202e@example.com',
    'Bea <bea@example.com>',
    '<bea@example.com>',
    '"bea"@example.com',
    'bea(moss)@example.com',
    'bea\\moss@example.com',
    'bea:moss@example.com',
    // In a link these mean something else: the reader would write to another mailbox, or to one more.
    'bea?bcc=eve@example.com',
    'bea#moss@example.com',
    'bea%40evil.example@example.com',
    '.bea@example.com',
    'bea.@example.com',
    'bea..moss@example.com',
    'bea@.example.com',
    'bea@example..com',
    'bea@example.com.',
    'bea@-example.com',
    'bea@example-.com',
    'bea@example.c',
    'bea@127.0.0.1',
    'bea@[127.0.0.1]',
    'bea@exam_ple.com',
    // These are letters, and no domain may have them in this order.
    'noa@שלוםtest.co.il',
    'ali@اa.com',
    'x@ﷺ.com',
    'bea@example。com',
    'bea＠example.com',
    '🎉@example.com',
    `${'a'.repeat(65)}@example.com`,
    `bea@${'a'.repeat(64)}.com`,
  ])('is refused: %j', (address) => {
    expect(answerTo(address)).toEqual(['Please enter a valid email address'])
  })

  it('has at most 254 characters', () => {
    expect(emailAddress.safeParse(`bea@${'a.'.repeat(123)}com`).success).toBe(true)
    expect(emailAddress.safeParse(`bea@${'a.'.repeat(124)}com`).success).toBe(false)
  })

  it('may be left blank where it is optional, and is refused in the same words', () => {
    expect([emailAddressOrNull.parse(''), emailAddressOrNull.parse(null)]).toEqual([null, null])
    expect(emailAddressOrNull.safeParse('nowhere').error?.issues.map(({ message }) => message)).toEqual([
      'Please enter a valid email address',
    ])
  })
})
