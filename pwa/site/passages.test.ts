import { expect, it } from 'vitest'
import { legalTexts } from '#shared/site/legal-texts.ts'
import { passagesOf } from './passages.ts'

it('reads headings, paragraphs, lists and steps, also where a heading is followed at once', () => {
  const text =
    'First words,\nstill the first.\n\n\n## One\nAt once.\n\n- a **b**\n- [c](/d)\n\n## Two\n\n1. e\n2. f\n\n- g\nno list'
  expect(passagesOf(text)).toEqual([
    { body: ['First words, still the first.'] },
    { heading: 'One', body: ['At once.', { list: ['a **b**', '[c](/d)'] }] },
    { heading: 'Two', body: [{ steps: ['e', 'f'] }, '- g no list'] },
  ])
  expect(passagesOf('  \n\n ')).toEqual([])
})

it.each([true, false])('reads the shipped texts without a rest of markup; plans: %s', (plans) => {
  for (const { text } of Object.values(legalTexts)) {
    const passages = passagesOf(text(plans))
    expect(passages.length).toBeGreaterThan(6)
    expect(passages.some(({ heading }) => /pay/i.test(heading ?? ''))).toBe(plans)
    expect(passages.every(({ body }) => body.length > 0)).toBe(true)
    expect(JSON.stringify(passages)).not.toMatch(/##|"- |undefined/)
  }
})
