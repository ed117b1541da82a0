import * as fc from 'fast-check'

/** What somebody may type who wants more than to fill in a form: into a mail's headers, its links, its markup, its files. */
const pieces = [
  '\r\nBcc: eve@evil.example',
  '\nBcc: eve@evil.example',
  '\rSubject: evil',
  '\r\n\r\n<html><body>evil',
  '\r\n.\r\nMAIL FROM:<eve@evil.example>\r\nRCPT TO:<eve@evil.example>\r\n',
  '\u0085Bcc: eve@evil.example',
  '\u2028Bcc: eve@evil.example',
  '\u2029ATTENDEE:mailto:eve@evil.example',
  '\r\nEND:VEVENT\r\nBEGIN:VALARM\r\nACTION:EMAIL',
  '\\n\\;\\,\\\\',
  'X;VALUE=URI:https://evil.example',
  '=?utf-8?Q?=0D=0ABcc:_eve@evil.example?=',
  '=?utf-8?B?DQpCY2M6IGV2ZUBldmlsLmV4YW1wbGU=?=',
  '?= =?',
  ', eve@evil.example',
  '" <eve@evil.example>, "',
  'eve@evil.example',
  '(comment)',
  '<a href="https://evil.example">press</a>',
  "<img src='https://evil.example/x.png' onerror=alert(1)>",
  '<!-- ',
  ' -->',
  '<![endif]-->',
  '&lt;b&gt; &amp; &#60;',
  '" onclick="alert(1)',
  'https://evil.example/?a=b&c=d#e',
  'javascript:alert(1)',
  '//evil.example',
  '[Promo Code]',
  '[Custom Instructions]',
  '$& $1 $` $$',
  '${now} {{name}} %0d%0a %s',
  '\u202egro.live\u2066',
  '\u200f\u200e\u200b\ufeff',
  '\u0000',
  '\u001b[2J\u0007\u0008',
  '🔦🎉',
  '--=_boundary\r\nContent-Type: text/html\r\n\r\n',
  'x'.repeat(90),
  'ü'.repeat(60),
] as const

/**
 * A text that such a person types: some of the above with plain words between, at most as long as the field takes.
 * @param canary a word to find it by, which it always begins with
 */
export function strangersText(longest: number, canary = 'Canary'): fc.Arbitrary<string> {
  const piece = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...pieces) },
    fc.string({ unit: 'binary', maxLength: 8 }),
  )
  return fc
    .array(piece, { minLength: 1, maxLength: 6 })
    .map((some) => [...`${canary} ${some.join('')}`].slice(0, longest).join('').slice(0, longest).trim())
    .map((text) => text.toWellFormed())
}

/** What such a person types as an email address. Some are addresses. */
export const strangersAddress: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(
      'bea@canary.example',
      'bea+eve=evil.example@canary.example',
      "o'bea!#$%&*/=?^`{|}~@canary.example",
      'bea@canary.example,eve@evil.example',
      'bea@canary.example\r\nBcc: eve@evil.example',
      'bea@canary.example\nRCPT TO:<eve@evil.example>',
      'bea@canary.example> NOTIFY=SUCCESS <eve@evil.example',
      'Bea <bea@canary.example>',
      '"bea, eve@evil.example"@canary.example',
      'bea(comment)@canary.example',
      'bea@[127.0.0.1]',
      'bea@canary.example\u2028',
      'béa@canary.example',
      'bea@cänary.example',
      '=?utf-8?Q?bea=40canary.example=2Ceve=40evil.example?=@canary.example',
      'bea%evil.example@canary.example',
      'bea@canary.example ',
    ),
    fc.nat(1_000_000_000),
  )
  // Nobody applies twice with one address.
  .map(([address, number]) => address.replace('bea', `bea${number}`))
