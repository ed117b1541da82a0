import { expect, it } from 'vitest'
import { isRequiredQuestion, questionText, withRequired } from '#shared/applications/application-record.ts'
import { customizationOf, customizationSchema, errorsOf, hasSameCustomization, questionToAdd } from './customization.ts'

it.each([
  ['  What do you drink? ', 'What do you drink?'],
  ['   ', null],
  ['', null],
  ['Asked already', null],
])('a new question: %j becomes %j', (typed, expected) => {
  expect(questionToAdd(typed, ['Asked already *'])).toBe(expected)
})

it('an event without its own texts is shown blank, and blank is fine', () => {
  const values = customizationOf(
    {
      customBeaconEmailSubject: null,
      customBeaconEmailBody: null,
      customQuestions: [],
      showDefaultQuestions: true,
    },
    { beaconInstructions: null, promoCode: 'BEACON' },
  )
  expect(values).toMatchObject({ beaconInstructions: '', promoCode: 'BEACON' })
  expect(values.customBeaconEmailBody).toBe('')
  expect(errorsOf(values)).toEqual({})
})

it('what was typed over with the same is no change of the customization', () => {
  const event = {
    customBeaconEmailSubject: null,
    customBeaconEmailBody: 'Hi',
    customQuestions: ['Shirt size?'],
    showDefaultQuestions: true,
    beaconInstructions: null,
    promoCode: null,
  }
  const typed = { ...customizationOf(event, event), beaconInstructions: 'Come early' }
  expect(hasSameCustomization(customizationSchema.parse(typed), event)).toBe(true)
  const other = { ...typed, customBeaconEmailSubject: 'Welcome' }
  expect(hasSameCustomization(customizationSchema.parse(other), event)).toBe(false)
})

it('a subject that is too long and too many questions are named beside their fields', () => {
  const errors = errorsOf({
    customBeaconEmailSubject: 'x'.repeat(201),
    customBeaconEmailBody: '',
    customQuestions: Array.from({ length: 31 }, (_, index) => `Question ${index}`),
    showDefaultQuestions: true,
    beaconInstructions: '',
    promoCode: 'x'.repeat(81),
  })
  expect(errors).toEqual({
    customBeaconEmailSubject: 'Please keep this under 200 characters',
    customQuestions: 'At most 30 questions',
    promoCode: 'Please keep this under 80 characters',
  })
})

it('a question is made required and optional again without a change of its words', () => {
  const required = withRequired('What do you drink?*', true)
  expect([isRequiredQuestion(required), questionText(required)]).toEqual([true, 'What do you drink?'])
  expect(withRequired(required, false)).toBe('What do you drink?')
})
