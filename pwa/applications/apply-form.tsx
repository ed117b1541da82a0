import { toNestErrors } from '@hookform/resolvers'
import { useRef, useState } from 'react'
import { useForm, useWatch, type FieldErrors, type Resolver } from 'react-hook-form'
import { Link } from 'react-router-dom'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import type { Problem } from '#shared/contract/problem.ts'
import {
  applicationRecord,
  bioHint,
  type DefaultQuestionField,
  isRequiredQuestion,
  questionnaire,
  questionText,
} from '#shared/applications/application-record.ts'
import type { ApplicationFields } from '#shared/applications/application.ts'
import type { Field } from '#shared/record/record.ts'
import { Button } from '../ui/button.tsx'
import { CheckboxField, RadioGroupField } from '../ui/choice-fields.tsx'
import { Fieldset } from '../ui/field.tsx'
import { TextField, TextareaField } from '../ui/text-field.tsx'
import {
  answerName,
  checkApplication,
  countMissing,
  personalFields,
  type ApplyFormValues,
} from './apply-form-values.ts'
import { fieldOf, useOnValues, useRefusal, useSubmit, type ZodForm } from '../ui/forms/use-zod-form.ts'

export interface Application {
  readonly fields: ApplicationFields
  readonly website: string
}

type Form = ZodForm<ApplyFormValues, ApplyFormValues>

const bioWords = { from: 100, to: 150 }

/** Reports each mistake at its field, so that react-hook-form focuses the first one. */
function resolverFor(event: PublicEvent): Resolver<ApplyFormValues> {
  return (values, _, options) => {
    const checked = checkApplication(values, event)
    if ('fields' in checked) return { values, errors: {} }
    const errors = Object.fromEntries(
      Object.entries(checked.errors).map(([path, message]) => [path, { type: 'application', message }]),
    )
    return { values: {}, errors: toNestErrors(errors as FieldErrors, options) }
  }
}

function bind(form: Form, name: Exclude<keyof typeof applicationRecord, 'customAnswers'>) {
  const { label, question, required, mayBeBlank }: Field = applicationRecord[name]
  return { label: question ?? label, optional: !required && !mayBeBlank, ...fieldOf(form, name) }
}

function PersonalInformation({ form, handedOn }: { form: Form; handedOn: boolean }) {
  // The browser would suggest another person's data.
  const suggest = (what: string) => (handedOn ? 'off' : what)
  return (
    <Fieldset legend="Personal Information" heading>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField autoComplete={suggest('given-name')} {...bind(form, 'firstName')} />
        <TextField autoComplete={suggest('family-name')} {...bind(form, 'lastName')} />
      </div>
      <TextField
        type="email"
        inputMode="email"
        autoComplete={suggest('email')}
        autoCapitalize="none"
        hint="The answer to your application goes here."
        {...bind(form, 'email')}
      />
      <TextField type="tel" autoComplete={suggest('tel')} {...bind(form, 'phone')} />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField autoComplete={suggest('organization')} {...bind(form, 'company')} />
        <TextField autoComplete={suggest('organization-title')} {...bind(form, 'jobTitle')} />
      </div>
      <TextField
        {...bind(form, 'linkedinUrl')}
        label="LinkedIn profile"
        type="url"
        inputMode="url"
        autoCapitalize="none"
        placeholder="https://www.linkedin.com/in/"
      />
      <TextField
        {...bind(form, 'topics')}
        label="Topics guests can ask you about"
        hint="Guests find you by these. For example: hiring, first funding, ceramics."
        autoComplete="off"
      />
    </Fieldset>
  )
}

/** A field of the record that has a question is asked here automatically. */
function DefaultQuestion({ form, name }: { form: Form; name: DefaultQuestionField }) {
  const { of: choices }: Field = applicationRecord[name]
  if (choices)
    return <RadioGroupField options={choices.map((value) => ({ value, label: value }))} {...bind(form, name)} />
  if (name !== 'bio') return <TextareaField rows={name === 'whyBeacon' ? 4 : 3} {...bind(form, name)} />
  return (
    <TextareaField
      hint={`${bioHint}. Guests read it when you are approved.`}
      rows={6}
      suggestedWords={bioWords}
      countedText={form.watch('bio')}
      {...bind(form, 'bio')}
    />
  )
}

function Questionnaire({ form, event }: { form: Form; event: PublicEvent }) {
  if (!event.showDefaultQuestions && event.customQuestions.length === 0) return null
  return (
    <Fieldset legend="Questionnaire" heading>
      {event.showDefaultQuestions &&
        questionnaire.map((name) => <DefaultQuestion key={name} form={form} name={name} />)}
      {event.customQuestions.map((question) => (
        <TextareaField
          key={question}
          label={questionText(question)}
          optional={!isRequiredQuestion(question)}
          rows={3}
          {...fieldOf(form, `answers.${answerName(question)}`)}
        />
      ))}
    </Fieldset>
  )
}

function Consent({ form }: { form: Form }) {
  return (
    <Fieldset legend="Before you send" heading>
      <p>
        If the organizer approves you, your <strong>name, job title, company, topics, bio and LinkedIn profile</strong>{' '}
        become public on the page of this event. Your email, phone and other answers are shown to the organizer only.
      </p>
      <CheckboxField label="I agree to the terms and to what becomes public" {...fieldOf(form, 'agreeTerms')} />
      <p className="-mt-3 text-sm text-muted">
        Read the{' '}
        <Link to="/terms" target="_blank" className="underline underline-offset-4">
          terms
        </Link>{' '}
        and the{' '}
        <Link to="/privacy" target="_blank" className="underline underline-offset-4">
          privacy page
        </Link>
        .
      </p>
    </Fieldset>
  )
}

function Missing({ form, event }: { form: Form; event: PublicEvent }) {
  const count = countMissing({ ...form.getValues(), ...useWatch({ control: form.control }) } as ApplyFormValues, event)
  if (count === 0) return null
  return (
    <p className="text-center text-sm text-muted">
      {count === 1 ? '1 answer is' : `${count} answers are`} still missing
    </p>
  )
}

/** `onSend` gets checked values; `onChange` each keystroke's, for the draft. */
export function ApplyForm(props: {
  event: PublicEvent
  initial: ApplyFormValues
  refusal?: Pick<Problem, 'message' | 'fields'> | undefined
  submitLabel: string
  /** Another person used this form: the browser suggests nothing. */
  handedOn?: boolean | undefined
  inSteps?: boolean | undefined
  onChange: (values: ApplyFormValues) => void
  onSend: (application: Application) => Promise<void>
}) {
  const { event, initial, refusal, submitLabel, handedOn = false, inSteps = false, onChange, onSend } = props
  const form: Form = useForm<ApplyFormValues, unknown, ApplyFormValues>({
    resolver: resolverFor(event),
    mode: 'onTouched',
    defaultValues: initial,
  })
  useOnValues(form, onChange)
  useRefusal(form, refusal)

  const [step, setStep] = useState<1 | 2>(inSteps ? 1 : 2)
  const top = useRef<HTMLParagraphElement>(null)
  const goTo = (next: 1 | 2) => {
    setStep(next)
    requestAnimationFrame(() => {
      top.current?.scrollIntoView({ block: 'center' })
      top.current?.focus({ preventScroll: true })
    })
  }
  const goOn = async () => {
    if (await form.trigger(personalFields, { shouldFocus: true })) goTo(2)
  }

  const send = useSubmit(form, async (values) => {
    const checked = checkApplication(values, event)
    if ('fields' in checked) await onSend({ fields: checked.fields, website: values.website })
  })

  return (
    <form
      noValidate
      className="flex flex-col gap-10"
      onSubmit={(event) => {
        event.preventDefault()
        void (step === 1 ? goOn() : send(event))
      }}
    >
      {inSteps && (
        <p ref={top} tabIndex={-1} className="-mb-6 text-sm text-muted">
          Step {step} of 2{step === 1 && ' · about 5 minutes'}
        </p>
      )}
      <div hidden={inSteps && step === 2}>
        <PersonalInformation form={form} handedOn={handedOn} />
      </div>
      {step === 2 && <Questionnaire form={form} event={event} />}
      {/* People neither see it nor reach it with Tab; a program that fills in every field gives itself away. */}
      <div className="absolute top-0 -left-[200vw] size-px overflow-hidden" aria-hidden="true">
        <input type="text" tabIndex={-1} autoComplete="off" {...form.register('website')} />
      </div>
      {step === 2 && <Consent form={form} />}
      <div className="flex flex-col gap-3">
        {step === 2 && <Missing form={form} event={event} />}
        <Button type="submit" size="large" wide pending={form.formState.isSubmitting} pendingText="Saving...">
          {step === 1 ? 'Continue' : submitLabel}
        </Button>
        {inSteps && step === 2 && (
          <Button variant="ghost" wide onClick={() => goTo(1)}>
            Back to Personal Information
          </Button>
        )}
      </div>
    </form>
  )
}
