import { describe, expect, it } from 'vitest'
import {
  answerName,
  applyFormOf,
  checkApplication,
  correctedFields,
  countMissing,
  emptyApplyForm,
  prefilledForm,
  restoredForm,
} from './apply-form-values.ts'
import { beaFields } from '../sync/testing/people.ts'
import type { ApplicationFields } from '#shared/applications/application.ts'
import type { ApplyFormValues } from './apply-form-values.ts'

const event = { showDefaultQuestions: true, customQuestions: ['Which languages do you speak?', 'T-shirt size*'] }
const plain = { showDefaultQuestions: false, customQuestions: [] }

const shirtSize = answerName('T-shirt size*')

const ben: ApplyFormValues = {
  firstName: ' Ben ',
  lastName: 'Osei',
  email: 'ben@example.com',
  phone: '',
  linkedinUrl: 'https://www.linkedin.com/in/ben-osei',
  company: 'Northwind',
  jobTitle: '',
  topics: '',
  experience: '1-2 times',
  expertise: 'Databases',
  whyBeacon: 'I like introducing people.',
  networkingStyle: 'Calm',
  bio: 'Ben builds databases.',
  answers: { [shirtSize]: 'M' },
  agreeTerms: true,
  website: '',
}

const errorsOf = (values: ApplyFormValues, asked = event) => {
  const checked = checkApplication(values, asked)
  return 'errors' in checked ? checked.errors : {}
}

describe('the apply form', () => {
  it('sends trimmed values, empty optional fields as null, and no unanswered questions', () => {
    const { answers: _, agreeTerms: _agreed, website: _trap, ...typed } = ben
    const customAnswers = [{ question: 'T-shirt size*', answer: 'M' }]
    expect(checkApplication(ben, event)).toEqual({
      fields: { ...typed, firstName: 'Ben', phone: null, jobTitle: null, topics: null, customAnswers },
    })
  })

  it('names every mistake of an empty form at once, custom questions and consent included', () => {
    expect(errorsOf(emptyApplyForm())).toEqual({
      firstName: 'Required',
      lastName: 'Required',
      email: 'Please enter a valid email address',
      experience: 'Required',
      expertise: 'Required',
      whyBeacon: 'Required',
      networkingStyle: 'Required',
      bio: 'Required',
      [`answers.${shirtSize}`]: 'Required',
      agreeTerms: 'You must agree to the terms',
    })
  })

  it('counts spaces as no answer', () => {
    expect(errorsOf({ ...ben, bio: '   ', answers: { [shirtSize]: ' ' } })).toEqual({
      bio: 'Required',
      [`answers.${shirtSize}`]: 'Required',
    })
  })

  it('shows a too long answer at its own question, also behind an unanswered one', () => {
    expect(errorsOf({ ...ben, answers: { [shirtSize]: 'x'.repeat(2001) } })).toEqual({
      [`answers.${shirtSize}`]: 'Please keep this under 2000 characters',
    })
  })

  it('refuses a profile address that is not on LinkedIn', () => {
    expect(errorsOf({ ...ben, linkedinUrl: 'https://example.com/linkedin.com' })).toEqual({
      linkedinUrl: 'Please enter the address of a LinkedIn profile',
    })
  })

  it('neither asks nor sends the default questions of an event that turned them off', () => {
    const checked = checkApplication({ ...ben, answers: {} }, plain)
    expect(checked).toMatchObject({
      fields: { experience: '', expertise: '', whyBeacon: '', networkingStyle: '', bio: '', customAnswers: [] },
    })
  })

  it('takes a bio of any length of words', () => {
    expect(errorsOf({ ...ben, bio: 'Short.' })).toEqual({})
    expect(errorsOf({ ...ben, bio: 'word '.repeat(300) })).toEqual({})
  })

  it('opens a queued application for correction without asking for an unknown consent', () => {
    const checked = checkApplication(ben, event)
    if (!('fields' in checked)) throw new Error('Ben filled in everything')
    expect(applyFormOf(checked.fields)).toEqual({ ...ben, firstName: 'Ben', agreeTerms: false })
  })

  it('keeps an answer at its question when the organizer removes the question before it', () => {
    const draft = { ...ben, answers: { [answerName('Which languages do you speak?')]: 'Twi', [shirtSize]: 'M' } }
    const shorter = { ...event, customQuestions: ['T-shirt size*'] }
    expect(checkApplication(restoredForm(emptyApplyForm(), draft), shorter)).toMatchObject({
      fields: { customAnswers: [{ question: 'T-shirt size*', answer: 'M' }] },
    })
  })

  it('opens a draft that lists its answers without the questions, and leaves those answers out', () => {
    const old = { ...ben, answers: ['Twi', 'M'] as never }
    expect(restoredForm(emptyApplyForm(), old)).toEqual({ ...ben, answers: {} })
    expect(restoredForm({ ...ben, answers: { [shirtSize]: 'L' } }, old).answers).toEqual({ [shirtSize]: 'L' })
  })

  it('names a question’s field by letters that have no meaning in a path', () => {
    expect(answerName('Why? [1.5]')).toMatch(/^q[\d_]+$/)
  })
})

describe('a correction', () => {
  const before = {
    ...(checkApplication(ben, event) as { fields: ApplicationFields }).fields,
    customAnswers: [
      { question: 'T-shirt size*', answer: 'M' },
      { question: 'No longer asked', answer: 'Yes' },
    ],
  }

  it('keeps answers to questions that are no longer asked', () => {
    const checked = { ...before, customAnswers: [{ question: 'T-shirt size*', answer: 'L' }] }
    expect(correctedFields(before, checked, event).customAnswers).toEqual([
      { question: 'T-shirt size*', answer: 'L' },
      { question: 'No longer asked', answer: 'Yes' },
    ])
  })

  it('does not empty the questionnaire of an event that stopped asking it', () => {
    const checked = { ...before, company: 'Contoso', bio: '', expertise: '', customAnswers: [] }
    expect(correctedFields(before, checked, plain)).toMatchObject({
      company: 'Contoso',
      bio: before.bio,
      expertise: 'Databases',
    })
  })
})

const asking = { showDefaultQuestions: true, customQuestions: ['Which languages? *'] }

it('a form filled in by the last one keeps the person and nothing of the other event', () => {
  const customAnswers = [{ question: 'Which languages? *', answer: 'Spanish' }]
  const form = prefilledForm({ ...beaFields, customAnswers })
  expect([form.firstName, form.bio, form.whyBeacon, form.answers]).toEqual(['Bea', beaFields.bio, '', {}])
  expect(form.agreeTerms).toBe(false)
  expect(countMissing(form, asking), 'why, languages, consent').toBe(3)
  expect(
    countMissing(
      { ...form, whyBeacon: 'People.', answers: { [answerName('Which languages? *')]: 'Spanish' }, agreeTerms: true },
      asking,
    ),
  ).toBe(0)
})
