import type { ReactNode } from 'react'
import { useController, useWatch } from 'react-hook-form'
import type { Problem } from '#shared/contract/problem.ts'
import { eventRecord } from '#shared/events/event-record.ts'
import { datedEventFields, type EventFields } from '#shared/events/event.ts'
import type { Field } from '#shared/record/record.ts'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import { instantOf, wallClockIn } from '#shared/time/event-time.ts'
import { mainZoneOf, usStates } from '#shared/places/us-states.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CheckboxField, SelectField } from '../../ui/choice-fields.tsx'
import { Fieldset } from '../../ui/field.tsx'
import { TextField, TextareaField } from '../../ui/text-field.tsx'
import { EventCover } from '../event-cover.tsx'
import { CoverField, CoverUpload } from './cover-field.tsx'
import type { EventFormValues } from './event-form-values.ts'
import { fieldOf, useOnValues, useRefusal, useSubmit, useZodForm, type ZodForm } from '../../ui/forms/use-zod-form.ts'

export interface EventFormProps {
  /** Read once. */
  initial: EventFormValues
  /** The server's version of the event; it knows the time zone. */
  saved?: EventDocument | undefined
  submitLabel: string
  pending: boolean
  refusal?: Pick<Problem, 'message' | 'fields'> | undefined
  onValues: (values: EventFormValues) => void
  onSubmit: (event: EventFields) => Promise<void> | void
  aside?: ReactNode
}

export function EventForm(props: EventFormProps) {
  const { initial, saved, submitLabel, pending, refusal, onValues, onSubmit, aside } = props
  const form = useZodForm<EventFormValues, EventFields>(datedEventFields, initial)
  const generalRefusal = useRefusal(form, refusal)
  useOnValues(form, onValues)
  const submit = useSubmit(form, onSubmit)

  return (
    // The browser's own bubbles would cover the messages beside the fields.
    <form noValidate onSubmit={(event) => void submit(event)}>
      {generalRefusal && (
        <Alert className="mb-4" variant="destructive" title="The server did not accept this">
          {generalRefusal} Nothing you typed is lost.
        </Alert>
      )}
      <div className="flex flex-col gap-4">
        <Card>
          <WhatFields form={form} saved={saved} />
        </Card>
        <Card>
          <WhenFields form={form} saved={saved} />
        </Card>
        <Card>
          <WhereFields form={form} />
        </Card>
        <Card>
          <BeaconFields form={form} saved={saved} />
        </Card>
      </div>
      <div className="mt-6 flex flex-col-reverse items-stretch gap-3 sm:flex-row sm:items-center sm:justify-end">
        {aside}
        <Button type="submit" size="large" pending={pending} pendingText="Saving...">
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}

interface PartProps {
  form: ZodForm<EventFormValues, EventFields>
}

function bind(form: PartProps['form'], name: keyof typeof eventRecord) {
  const { label, required }: Field = eventRecord[name]
  return { label, ...(required ? { required } : { optional: true }), ...fieldOf(form, name) }
}

function WhatFields({ form, saved }: PartProps & Pick<EventFormProps, 'saved'>) {
  return (
    <Fieldset legend="The event" heading>
      <TextField autoComplete="off" {...bind(form, 'name')} />
      <TextareaField {...bind(form, 'description')} />
      <TextField
        hint="Where guests register, for example on EventBrite."
        type="url"
        inputMode="url"
        placeholder="https://"
        autoComplete="off"
        {...bind(form, 'registrationUrl')}
      />
      <CoverField preview={saved && <CoverPreview form={form} saved={saved} />} {...bind(form, 'coverPalette')} />
    </Fieldset>
  )
}

function CoverPreview({ form, saved }: PartProps & { saved: NonNullable<EventFormProps['saved']> }) {
  const coverPalette = useWatch({ control: form.control, name: 'coverPalette' })
  return (
    <>
      <EventCover event={{ ...saved, coverPalette }} className="aspect-2/1 max-w-sm rounded-box" />
      <CoverUpload event={saved} />
    </>
  )
}

function WhenFields({ form, saved }: PartProps & Pick<EventFormProps, 'saved'>) {
  const startDate = useWatch({ control: form.control, name: 'startDate' })
  const { timeZone, placed } = useZone(form, saved)
  const start = form.register('startDate', {
    // Most events end on the day they start.
    onChange: () => {
      const { startDate: chosen, endDate } = form.getValues()
      if (chosen && !endDate && !form.getFieldState('endDate').isTouched) form.setValue('endDate', chosen)
    },
  })
  return (
    <Fieldset legend="When" heading hint={<ZoneHint timeZone={timeZone} placed={placed} />}>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField type="date" {...bind(form, 'startDate')} {...start} />
        <TextField type="date" min={startDate || undefined} {...bind(form, 'endDate')} />
        <TextField type="time" {...bind(form, 'startTime')} />
        <TextField type="time" {...bind(form, 'endTime')} />
      </div>
    </Fieldset>
  )
}

/** The server's while the place is unchanged, else the state's main zone. */
function useZone(form: PartProps['form'], saved: EventFormProps['saved']): { timeZone: string; placed: boolean } {
  const [state, zipCode] = useWatch({ control: form.control, name: ['state', 'zipCode'] })
  const unmoved = saved && (saved.state ?? '') === (state ?? '') && (saved.zipCode ?? '') === (zipCode ?? '')
  return { timeZone: unmoved ? saved.timeZone : mainZoneOf(state), placed: Boolean(unmoved || state || zipCode) }
}

/** Names the venue's zone, not this device's. */
function ZoneHint({ timeZone, placed }: { timeZone: string; placed: boolean }) {
  const words = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longGeneric' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value
  return placed ? (
    <>Times are the venue’s own: {words ?? timeZone}. The ZIP code decides where a state has two clocks.</>
  ) : (
    <>Times are the venue’s own; its state or ZIP code tells which. Until then: {words ?? timeZone}.</>
  )
}

function WhereFields({ form }: PartProps) {
  return (
    <Fieldset legend="Where" heading>
      <TextField hint="The name people know it by." autoComplete="off" {...bind(form, 'location')} />
      <TextField autoComplete="off" {...bind(form, 'address')} />
      <div className="grid gap-5 sm:grid-cols-3">
        <TextField autoComplete="off" {...bind(form, 'city')} />
        <SelectField {...bind(form, 'state')}>
          <option value="">No state</option>
          {usStates.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
        <TextField inputMode="numeric" maxLength={5} autoComplete="off" {...bind(form, 'zipCode')} />
      </div>
    </Fieldset>
  )
}

function BeaconFields({ form, saved }: PartProps & Pick<EventFormProps, 'saved'>) {
  const maxBeacons = form.register('maxBeacons', { setValueAs: wholeNumberOrNull })
  return (
    <Fieldset legend="For your Beacons" heading>
      <TextareaField
        hint="What a Beacon gets for helping: free entry, dinner, a thank-you on stage."
        {...bind(form, 'beaconIncentives')}
      />
      <TextareaField
        hint="Goes into the approval e-mail where it says [Custom Instructions]. Never public."
        {...bind(form, 'beaconInstructions')}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          hint="Goes into the approval e-mail. Never public."
          autoComplete="off"
          {...bind(form, 'promoCode')}
        />
        <TextField
          hint="Applications close once so many are approved."
          inputMode="numeric"
          {...bind(form, 'maxBeacons')}
          {...maxBeacons}
        />
      </div>
      <DeadlineField form={form} saved={saved} />
      {saved !== undefined && (
        <CheckboxField
          label="Applications are closed"
          hint="No one can apply while this is on."
          look="switch"
          {...fieldOf(form, 'applicationsClosed')}
        />
      )}
    </Fieldset>
  )
}

/** Typed by the venue's clock, kept as an instant. */
function DeadlineField({ form, saved }: PartProps & Pick<EventFormProps, 'saved'>) {
  const { timeZone } = useZone(form, saved)
  const { field, fieldState } = useController({ control: form.control, name: 'applicationsCloseAt' })
  const clock = field.value ? wallClockIn(timeZone, new Date(field.value)) : null
  return (
    <TextField
      {...field}
      label="Applications close"
      optional
      hint="By the venue’s clock. Without it people can apply until the event ends."
      type="datetime-local"
      value={clock ? `${clock.date}T${clock.time}` : ''}
      error={fieldState.error?.message}
      onChange={(change) => {
        const [date = '', time = ''] = change.target.value.split('T')
        field.onChange(date && time ? instantOf(date, time.slice(0, 5), timeZone).toISOString() : null)
      }}
    />
  )
}

function wholeNumberOrNull(typed: unknown): unknown {
  if (typeof typed !== 'string') return typed ?? null
  return typed.trim() === '' ? null : Number(typed)
}
