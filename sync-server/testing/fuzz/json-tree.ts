import type { Random } from '../random.ts'

/**
 * JSON as it is written, not as it is read: a field may stand twice, and a value may be text that no value of a program
 * writes, such as 1e400.
 */
export type Tree =
  | { readonly text: string }
  | { readonly list: readonly Tree[] }
  | { readonly fields: readonly (readonly [string, Tree])[] }

/** A value of a program as a tree. */
export function treeOf(value: unknown): Tree {
  if (Array.isArray(value)) return { list: value.map(treeOf) }
  if (typeof value === 'object' && value !== null)
    return { fields: Object.entries(value).map(([name, inner]) => [name, treeOf(inner)]) }
  return { text: JSON.stringify(value) ?? 'null' }
}

/** The text of a tree. */
export function written(tree: Tree): string {
  if ('text' in tree) return tree.text
  if ('list' in tree) return `[${tree.list.map(written).join(',')}]`
  return `{${tree.fields.map(([name, inner]) => `${JSON.stringify(name)}:${written(inner)}`).join(',')}}`
}

/** What databases, date libraries, number parsers and printers have stumbled over. */
export const oddTexts: readonly string[] = [
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
  '%00',
  '%',
  '${7*7}',
  '{{7*7}}',
  '__proto__',
  'constructor',
  'toString',
  '<script>alert(1)</script>',
  '=cmd|calc',
  '2026-02-30',
  '99999-13-45',
  '0000-00-00',
  '+275760-09-13',
  '2026-11-22T25:61:61Z',
  '2026-11-22T10:00:00+99:99',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '24:00',
  '1e400',
  'NaN',
  '-0',
  '0x10',
  'null',
  'true',
  '00000000-0000-0000-0000-000000000000',
  'javascript:alert(1)',
  'https://user:pass@example.com/',
  'http://[::1]/',
  `https://example.com/${'a'.repeat(2100)}`,
  'a@b',
  `${'a'.repeat(64)}@${'b'.repeat(180)}.example`,
  'ada@example.com,otto@example.com',
  '"Bea" <bea@example.com>',
  'Mars/Olympus_Mons',
  'x'.repeat(300),
  'x'.repeat(12_000),
  '\\',
  '[Beacon Name][Event Name][Promo Code]'.repeat(50),
]

const oddNumbers = [
  '0 -0 -1 0.1 1e400 -1e400 1e308 5e-324 1e21 2147483647 2147483648 -2147483649 4294967296',
  '9007199254740991 9007199254740993 9223372036854775808',
].flatMap((line) => line.split(' '))
const oddLiterals = 'null true false [] {} [[]] "" [null]'.split(' ')
const oddObjects = ['{"__proto__":{"isAdmin":true}}', '{"constructor":{"prototype":{}}}', '{"$gt":""}']

const many = (count: number, of: (index: number) => string) => Array.from({ length: count }, (_, index) => of(index))

function deep(random: Random): string {
  const depth = random.pick([3, 14, 15, 16, 17, 200, 5000])
  return random.chance(0.5) ? '['.repeat(depth) + ']'.repeat(depth) : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
}

/** A value that is not asked for; often a text. */
export function oddTree(random: Random): Tree {
  const text = () => JSON.stringify(random.pick(oddTexts))
  const make = random.pick([
    () => random.pick(oddNumbers),
    () => random.pick(oddLiterals),
    () => random.pick(oddObjects),
    () => deep(random),
    () => `[${many(random.pick([2, 31, 499, 501, 3000]), () => '0').join(',')}]`,
    () => `{${many(random.pick([2, 99, 101, 2000]), (index) => `"k${index}":0`).join(',')}}`,
    text,
    text,
  ])
  return { text: make() }
}

/** The same tree with one thing about it changed, somewhere. */
export function mutated(tree: Tree, random: Random): Tree {
  if ('fields' in tree && tree.fields.length > 0 && random.chance(0.85)) {
    const at = random.below(tree.fields.length)
    const [name, inner] = tree.fields[at] as readonly [string, Tree]
    const others = tree.fields.filter((_, index) => index !== at)
    const change = (value: Tree) => tree.fields.with(at, [name, value])
    const fields = random.pick([
      () => others,
      () => [...tree.fields, [name, oddTree(random)] as const],
      () => [...tree.fields, [random.pick(oddTexts).slice(0, 200), oddTree(random)] as const],
      () => [...others, [name.toUpperCase(), inner] as const],
      () => change(mutated(inner, random)),
      () => change(mutated(inner, random)),
      () => change(oddTree(random)),
      () => change(oddTree(random)),
    ])
    return { fields: fields() }
  }
  if ('list' in tree && tree.list.length > 0 && random.chance(0.85)) {
    const at = random.below(tree.list.length)
    const inner = tree.list[at] as Tree
    if (random.chance(0.3)) return { list: [...tree.list, inner, inner] }
    return { list: tree.list.with(at, random.chance(0.6) ? mutated(inner, random) : oddTree(random)) }
  }
  return oddTree(random)
}
