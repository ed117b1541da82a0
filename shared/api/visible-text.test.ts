import { expect, it } from 'vitest'
import type * as z from 'zod'
import { nameBody, registerBody } from '../accounts/account-calls.ts'
import { applicationRecord } from '../applications/application-record.ts'
import { missingAnswers } from '../applications/application.ts'
import { customizationRecord, eventRecord } from '../events/event-record.ts'
import { inputOf } from '../record/record-schema.ts'
import { routes } from './routes.ts'

const unseen = [
  '\u200b\u200d\u2060\ufeff',
  '\u00ad\u00ad\u00ad',
  '\u115f\u1160\u3164\uffa0',
  '\u2800\u2800 \u2800',
  '\ufe0f\ufe0f\u{e0100}',
  '\u{e0041}\u{e0042}\u{e007f}',
  '\u202e\u2066\u200f\u061c',
  ' \u180e\u034f\u17b4 ',
]
const event = inputOf(eventRecord).shape
const application = inputOf(applicationRecord).shape
const { customQuestions } = inputOf(customizationRecord).shape

const heard = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues.map(({ message }) => message)

it.each(unseen)('what nobody can see is no name and no text that is asked for: %j', (text) => {
  expect(heard(event.name, text)).toEqual(['Required'])
  expect(heard(event.location, text)).toEqual(['Required'])
  expect(heard(application.firstName, text)).toEqual(['Required'])
  expect(heard(application.lastName, text)).toEqual(['Required'])
  expect(heard(customQuestions, [text])).toEqual(['Required'])
  expect(heard(nameBody.shape.username, `${text}${text}`)).toContain('Required')
  expect(heard(routes.renameDevice.body, { name: text })).toEqual(['Please enter a name'])
  expect(heard(routes.takeEventDown.body, { reason: text })).toEqual(['Required'])
  expect(registerBody.shape.organizationName.parse(text)).toBe(null)
  const customAnswers = [{ question: 'Why? *', answer: text }]
  const blank = { experienceLevel: null, interests: null, whyInterested: null, bio: null }
  const asked = { showDefaultQuestions: false, customQuestions: ['Why? *'] }
  expect(missingAnswers({ ...blank, customAnswers } as never, asked)).toEqual({ 'customAnswers.0': 'Required' })
})

it.each(['A', '陈', '👩‍🚀', '⠓⠊', '각', 'ｱ', '1', '!', '\u200eא', 'न\u200d'])(
  'what shows something stays: %s',
  (text) => {
    expect(event.name.parse(text)).toBe(text)
    expect(customQuestions.parse([text])).toEqual([text])
  },
)

it('an empty text is refused once', () => {
  expect(heard(event.name, '  ')).toEqual(['Required'])
  expect(heard(event.name, undefined)).toEqual(['Required'])
})
