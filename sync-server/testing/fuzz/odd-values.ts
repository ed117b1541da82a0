import * as fc from 'fast-check'

/** What databases, date libraries, number parsers and printers have stumbled over. */
export const oddTexts: readonly string[] = [
  ...'1e400 NaN -0 0x10 null true 24:00 2026-02-30 99999-13-45 0000-00-00 +275760-09-13 %00 % ${7*7} {{7*7}} \\'.split(
    ' ',
  ),
  ...'2026-11-22T25:61:61Z 2026-11-22T10:00:00+99:99 0001-01-01T00:00:00Z 9999-12-31T23:59:59.999999999Z'.split(' '),
  ...'__proto__ constructor toString <script>alert(1)</script> =cmd|calc Mars/Olympus_Mons a@b'.split(' '),
  ...'javascript:alert(1) https://user:pass@example.com/ http://[::1]/ ada@example.com,otto@example.com'.split(' '),
  '00000000-0000-0000-0000-000000000000',
  '',
  ' ',
  '\u0000',
  'Bea\u0000Moss',
  '\ud800',
  'half \udfff',
  '\u202ethgir ot tfel',
  '\ufeffBOM',
  '\u2028\u2029',
  'e\u0301'.repeat(400),
  '👩‍👩‍👧‍👦'.repeat(60),
  '𝕭𝖊𝖆',
  'İstanbul ß ﬃ',
  '\r\nX-Injected: 1',
  "'; drop table users; --",
  '"Bea" <bea@example.com>',
  `https://example.com/${'a'.repeat(2100)}`,
  `${'a'.repeat(64)}@${'b'.repeat(180)}.example`,
  'x'.repeat(300),
  'x'.repeat(12_000),
  '[Beacon Name][Event Name][Promo Code]'.repeat(50),
]
export const oddText = fc.constantFrom(...oddTexts)

const oddNumbers = [
  '0 -0 -1 0.1 1e400 -1e400 1e308 5e-324 1e21 2147483647 2147483648 -2147483649 4294967296',
  '9007199254740991 9007199254740993 9223372036854775808',
].flatMap((line) => line.split(' '))
const oddObjects = [
  '[[]]',
  '[null]',
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{}}}',
  '{"$gt":""}',
]
const many = (count: number, of: (index: number) => string) => Array.from({ length: count }, (_, index) => of(index))

/** JSON that is not asked for, as it is written: a number may be one that no value of a program writes. */
const oddJson: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: oddText.map((text) => JSON.stringify(text)) },
  { weight: 2, arbitrary: fc.constantFrom(...oddNumbers) },
  fc.constantFrom(...oddObjects),
  fc.json(),
  fc.constantFrom(3, 14, 15, 16, 17, 200, 5000).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  fc.constantFrom(3, 14, 15, 16, 17, 200, 5000).map((depth) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`),
  fc.constantFrom(2, 31, 499, 501, 3000).map((count) => `[${many(count, () => '0').join(',')}]`),
  fc.constantFrom(2, 99, 101, 2000).map((count) => `{${many(count, (index) => `"k${index}":0`).join(',')}}`),
)

/** Changes one thing about a JSON text, somewhere: a value or a name; or a field is there that is unknown, or there twice. */
export const mutation: fc.Arbitrary<(json: string) => string> = fc
  .tuple(fc.nat(), oddJson, oddText, fc.nat(2))
  .map(([at, value, name, how]) => (json) => {
    const tokens = [...json.matchAll(/"(?:[^"\\]|\\.)*":?|[\w.+-]+/g)]
    const token = tokens[at % tokens.length]
    if (!token) return value
    const [found] = token
    const renamed = [found.toUpperCase(), `${JSON.stringify(name)}:${value},${found}`, `${found}${value},${found}`]
    const changed = found.endsWith('":') ? (renamed[how] ?? '') : value
    return json.slice(0, token.index) + changed + json.slice(token.index + found.length)
  })

/** What is no JSON, no UTF-8, or too much of it. */
export const damage: fc.Arbitrary<(body: Buffer) => Buffer> = fc
  .tuple(fc.nat(), fc.constantFrom(10, 4000, 60_000, 70_000), fc.nat(5))
  .map(([place, size, how]) => (body) => {
    const at = place % (body.length + 1)
    const damaged = [
      body.subarray(0, at),
      Buffer.concat([body.subarray(0, at), Buffer.from([0xff, 0xfe, 0xc0]), body.subarray(at)]),
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
      Buffer.concat([body, body]),
      Buffer.from('['.repeat(size)),
      Buffer.from(`{"a":"${'x'.repeat(size)}"}`),
    ]
    return damaged[how] as Buffer
  })
