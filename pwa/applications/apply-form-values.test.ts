import { describe, expect, it } from 'vitest'
import {
  applyFormOf,
  checkApplication,
  correctedFields,
  countMissing,
  emptyApplyForm,
  prefilledForm,
} from './apply-form-values.ts'
import { beaFields } from '../sync/testing/people.ts'
import type { ApplicationFields } from '#shared/applications/application.ts'
import type { ApplyFormValues } from './apply-form-values.ts'

const event = { showDefaultQuestions: true, customQuestions: ['Which languages do you speak?', 'T-shirt size*'] }
const plain = { showDefaultQuestions: false, customQuestions: [] }

const ben: ApplyFormValues = {
  firstName: ' Ben ',
  lastName: 'Osei',
  email: 'ben@example.com',
  phone: '',
  linkedinUrl: 'https://www.linkedin.com/in/ben-osei',
  company: 'Northwind',
  jobTitle: '',
  experience: '1-2 times',
  expertise: 'Databases',
  whyBeacon: 'I like introducing people.',
  networkingStyle: 'Calm',
  bio: 'Ben builds databases.',
  answers: ['', 'M'],
  agreeTerms: true,
  website: '',
}

const errorsOf = (values: ApplyFormValues, asked = event) => {
  const checked = checkApplication(values, asked)
  return 'errors' in checked ? checked.errors : {}
}

describe('the apply form', () => {
  it('sends what the server takes: trimmed, empty optional fields as null, unanswered questions left out', () => {
    const { answers: _, agreeTerms: _agreed, website: _trap, ...typed } = ben
    const customAnswers = [{ question: 'T-shirt size*', answer: 'M' }]
    expect(checkApplication(ben, event)).toEqual({
      fields: { ...typed, firstName: 'Ben', phone: null, jobTitle: null, customAnswers },
    })
  })

  it('names every mistake of an empty form at once, custom questions and consent included', () => {
    expect(errorsOf(emptyApplyForm(event))).toEqual({
      firstName: 'Required',
      lastName: 'Required',
      email: 'Please enter a valid email address',
      experience: 'Required',
      expertise: 'Required',
      whyBeacon: 'Required',
      networkingStyle: 'Required',
      bio: 'Required',
      'answers.1': 'Required',
      agreeTerms: 'You must agree to the terms',
    })
  })

  it('counts spaces as no answer', () => {
    expect(errorsOf({ ...ben, bio: '   ', answers: ['', ' '] })).toEqual({ bio: 'Required', 'answers.1': 'Required' })
  })

  it('shows a too long answer at its own question, though the unanswered one before it is not sent', () => {
    expect(errorsOf({ ...ben, answers: ['', 'x'.repeat(2001)] })).toEqual({
      'answers.1': 'Please keep this under 2000 characters',
    })
  })

  it('refuses a profile address that is not on LinkedIn', () => {
    expect(errorsOf({ ...ben, linkedinUrl: 'https://example.com/linkedin.com' })).toEqual({
      linkedinUrl: 'Please enter the address of a LinkedIn profile',
    })
  })

  it('neither asks nor sends the default questions of an event that turned them off', () => {
    const checked = checkApplication({ ...ben, answers: [] }, plain)
    expect(checked).toMatchObject({
      fields: { experience: '', expertise: '', whyBeacon: '', networkingStyle: '', bio: '', customAnswers: [] },
    })
  })

  it('takes a bio of any length of words', () => {
    expect(errorsOf({ ...ben, bio: 'Short.' })).toEqual({})
    expect(errorsOf({ ...ben, bio: 'word '.repeat(300) })).toEqual({})
  })

  it('opens a queued application again for correction, without asking for a consent it cannot know', () => {
    const checked = checkApplication(ben, event)
    if (!('fields' in checked)) throw new Error('Ben filled in everything')
    expect(applyFormOf(checked.fields, event)).toEqual({ ...ben, firstName: 'Ben', agreeTerms: false })
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

it('a form filled in by the last one keeps who the person is, and nothing that was about the other event', () => {
  const customAnswers = [{ question: 'Which languages? *', answer: 'Spanish' }]
  const form = prefilledForm({ ...beaFields, customAnswers }, asking)
  expect([form.firstName, form.bio, form.whyBeacon, form.answers]).toEqual(['Bea', beaFields.bio, '', ['']])
  expect(form.agreeTerms).toBe(false)
  expect(countMissing(form, asking), 'why, languages, consent').toBe(3)
  expect(countMissing({ ...form, whyBeacon: 'People.', answers: ['Spanish'], agreeTerms: true }, asking)).toBe(0)
})
