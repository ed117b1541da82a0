import { expect, it } from 'vitest'
import { plainText } from '#shared/text/matching.ts'
import { setTestDatabase } from '../testing/test-database.ts'

const { db } = await setTestDatabase()

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
