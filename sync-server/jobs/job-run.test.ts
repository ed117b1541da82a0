import { describe, expect, it } from 'vitest'
import { failureOf, GiveUp, RetryLater, withoutValues } from './job-run.ts'

const error = (message: string, more: object = {}) => Object.assign(new Error(message), more)

describe('what is written down about a failure', () => {
  it.each([
    ['our own words', error('no network'), 'no network'],
    [
      'a mail server’s answer as its number',
      error('550 5.1.1 <bea@example.com> unknown', { responseCode: 550, code: 'EENVELOPE' }),
      'the mail server answered 550',
    ],
    [
      'the database’s answer as its code',
      error('duplicate key (bea@example.com)', { code: '23505', constraint: 'mails_key_key' }),
      'the database answered 23505 (mails_key_key)',
    ],
    [
      'a broken connection as its code',
      error('connect ECONNREFUSED 10.1.2.3:25', { code: 'ECONNREFUSED' }),
      'Error ECONNREFUSED',
    ],
    ['what is no error', 'Bea Moss', 'something was thrown that is no error'],
  ])('is %s', (_, thrown, text) => {
    expect(failureOf(thrown).text).toBe(text)
  })

  it('says when to try again, or that it is of no use', () => {
    expect(failureOf(new RetryLater('busy', 5000))).toEqual({ text: 'busy', retryAfterMs: 5000, isFinal: false })
    expect(failureOf(new GiveUp('no such mail'))).toEqual({ text: 'no such mail', retryAfterMs: 0, isFinal: true })
  })
})

describe('a text without values', () => {
  it.each([
    ['an address', 'cannot reach bea@example.com now', 'cannot reach … now'],
    ['a name with an address', 'to Bea <bea@example.com>: no', 'to Bea <…>: no'],
    [
      'what is quoted',
      `Unexpected token 'B', "Bea Moss" is not valid JSON`,
      'Unexpected token "…", "…" is not valid JSON',
    ],
    ['a quotation that was cut off', 'not JSON: "Bea Mo', 'not JSON: "…"'],
    ['a link', 'https://push.example/send/abc?d=1 is gone', 'https://… is gone'],
    ['a phone number', 'call +1 (555) 019-9123 instead', 'call … instead'],
    ['line ends', 'one\r\n  two', 'one two'],
  ])('lacks %s', (_, text, expected) => {
    expect(withoutValues(text)).toBe(expected)
  })

  it.each(['event 12 is gone', 'the push service answered 503', "the server doesn't answer"])('keeps “%s”', (text) => {
    expect(withoutValues(text)).toBe(text)
  })

  it('is at most 200 characters long', () => {
    expect(withoutValues('word '.repeat(100))).toHaveLength(200)
  })
})
