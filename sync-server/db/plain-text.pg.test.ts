import { expect, it } from 'vitest'
import { plainText, searchedWords, wordFinder } from '#shared/text/matching.ts'
import { setTestDatabase } from '../testing/test-database.ts'

const { db } = await setTestDatabase()

it('the database finds words in an event where phones find them', async () => {
  const texts: [string, string, string, string | null][] = [
    ['Soirée Jean-Luc', 'Łódź', 'Straße 100%', 'Chicago'],
    ['Evening', 'O’Neil–Hall', '한국 meetup', null],
    ['E\u0301vening_-', "O'Neil Hall", 'back\\slash', ''],
    ['one-', '-two', 'three', 'four'],
  ]
  const typed = [
    'jeanluc',
    'jean luc',
    'oneilhall',
    'lodz soiree',
    'strasse',
    'evening',
    'onetwo',
    'one two',
    'ng_',
    '한',
    'k\\s',
  ]
  const { rows } = await db.raw<{ rows: { words: string }[] }>(
    'select words_of_event(t->>0, t->>1, t->>2, t->>3) as words from jsonb_array_elements(?::jsonb) t',
    [JSON.stringify(texts)],
  )
  const found = (isFound: (index: number, words: string) => boolean) =>
    typed.map((words) => [words, ...texts.filter((_, index) => isFound(index, words)).map(([name]) => name)])
  expect(found((index, words) => searchedWords(words).every((word) => rows[index]!.words.includes(word)))).toEqual(
    found((index, words) => wordFinder(words)(...texts[index]!)),
  )
  expect(found((index, words) => wordFinder(words)(...texts[index]!)).filter((one) => one.length > 1).length).toBe(10)
})

it('the database takes names for the same as phones do', async () => {
  const names = [
    'Élan Łódź',
    'LANGE STRAẞE, Straße',
    'Ærø Œuvre Þór Đorđević İstanbul Diyarbakır',
    'Nguyễn Văn',
    "O'Neil O’Neil O´Neil O`Neil",
    'Jean-Luc Jean–Luc Jean‑Luc －',
    'ﬁre ① Ⅷ ｆｕｌｌ',
    'कि 灯台 한국 Σίσυφος ЁЖ',
    'Zebra 42 @ example.com',
    "ʿAlāʾ Hakob՚i Kaꞌqla KAꞋQLA O｀Neil O\u1ffdNeil O\u1fefNeil ŉ 6″ ד׳ \u1fbd\u1fbf\u1ffe\u0384 aˊbˋc‵ '",
    'Paral·lel Paraŀlel Con\u00adference Meh\u200bmet\u200c\u200d\u2060\ufeff',
    'Əliyev ƏLİYEV əliyev',
  ]
  const { rows } = await db.raw<{ rows: { name: string; plain: string }[] }>(
    'select name, plain_text(name) as plain from unnest(?::text[]) as given (name)',
    [names as never],
  )
  expect(rows).toEqual(names.map((name) => ({ name, plain: plainText(name) })))
})
