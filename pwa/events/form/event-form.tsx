import { useEffect, useEffectEvent } from 'react'
import type { ReactNode } from 'react'
import { useController, useWatch } from 'react-hook-form'
import type { Problem } from '#shared/contract/problem.ts'
import type { EventFields } from '#shared/events/event.ts'
import { instantOf, mainZoneOf, wallClockIn } from '#shared/time/event-time.ts'
import { usStates } from '#shared/places/us-states.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CheckboxField } from '../../ui/checkbox-field.tsx'
import { Fieldset } from '../../ui/fieldset.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { TextareaField } from '../../ui/textarea-field.tsx'
import { eventFormSchema } from './event-form-values.ts'
import type { EventFormValues } from './event-form-values.ts'
import { fieldOf, useRefusal, useZodForm } from '../../forms/use-zod-form.ts'
import type { ZodForm } from '../../forms/use-zod-form.ts'

export interface EventFormProps {
  /** What the form starts with: an empty form, an event, or a draft of one. Read once. */
  initial: EventFormValues
  /** The event as the server has it, where there is one: its own time zone is then known. */
  saved?: { readonly timeZone: string; readonly state: string | null; readonly zipCode: string | null } | undefined
  submitLabel: string
  /** While true the button reads "Saving..." and nothing is sent twice. */
  pending: boolean
  /** Why the server refused what is in the form. */
  refusal?: Pick<Problem, 'message' | 'fields'> | null | undefined
  /** Called with every change, for the autosaved draft. */
  onValues: (values: EventFormValues) => void
  onSubmit: (event: EventFields) => void
  /** Stands beside the button: cancel, or where the draft is. */
  aside?: ReactNode
}

/** The only event form: create, edit and the anonymous builder all show this one. */
export function EventForm(props: EventFormProps) {
  const { initial, saved, submitLabel, pending, refusal = null, onValues, onSubmit, aside } = props
  const form = useZodForm<EventFormValues, EventFields>(eventFormSchema, initial)
  const stillToSay = useRefusal(form, refusal)
  const keep = useEffectEvent(onValues)

  useEffect(() => form.subscribe({ formState: { values: true }, callback: ({ values }) => keep(values) }), [form])

  return (
    // The browser's own bubbles would cover the messages beside the fields.
    <form noValidate onSubmit={(event) => void form.handleSubmit((fields) => onSubmit(fields))(event)}>
      {stillToSay && (
        <div className="mb-4">
          <Alert variant="destructive" title="The server did not accept this">
            {stillToSay} Nothing you typed is lost.
          </Alert>
        </div>
      )}
      <div className="flex flex-col gap-4">
        <Card>
          <WhatFields form={form} />
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

function WhatFields({ form }: PartProps) {
  return (
    <Fieldset legend="The event" heading>
      <TextField label="Event Name" autoComplete="off" required {...fieldOf(form, 'name')} />
      <TextareaField label="Description" required {...fieldOf(form, 'description')} />
      <TextField
        label="Registration URL"
        optional
        hint="Where guests register, for example on EventBrite."
        type="url"
        inputMode="url"
        placeholder="https://"
        autoComplete="off"
        {...fieldOf(form, 'registrationUrl')}
      />
    </Fieldset>
  )
}

function WhenFields({ form, saved }: PartProps & Pick<EventFormProps, 'saved'>) {
  const startDate = useWatch({ control: form.control, name: 'startDate' })
  const { timeZone, placed } = useZone(form, saved)
  const start = form.register('startDate', {
    // Most events are over on the day they start.
    onChange: () => {
      const { startDate: chosen, endDate } = form.getValues()
      if (chosen && !endDate && !form.getFieldState('endDate').isTouched) form.setValue('endDate', chosen)
    },
  })
  return (
    <Fieldset legend="When" heading hint={<ZoneHint timeZone={timeZone} placed={placed} />}>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField label="Start Date" type="date" required {...fieldOf(form, 'startDate')} {...start} />
        <TextField label="End Date" type="date" required min={startDate || undefined} {...fieldOf(form, 'endDate')} />
        <TextField label="Start Time" optional type="time" {...fieldOf(form, 'startTime')} />
        <TextField label="End Time" optional type="time" {...fieldOf(form, 'endTime')} />
      </div>
    </Fieldset>
  )
}

/** The clock the venue goes by, as far as this phone knows: the server's word while the place is the same, else the state's main zone. */
function useZone(form: PartProps['form'], saved: EventFormProps['saved']): { timeZone: string; placed: boolean } {
  const [state, zipCode] = useWatch({ control: form.control, name: ['state', 'zipCode'] })
  const unmoved = saved && (saved.state ?? '') === (state ?? '') && (saved.zipCode ?? '') === (zipCode ?? '')
  return { timeZone: unmoved ? saved.timeZone : mainZoneOf(state), placed: Boolean(unmoved || state || zipCode) }
}

/** The zone in words, before anybody has to guess: the venue's, not this phone's. */
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
      <TextField
        label="Venue"
        hint="The name people know it by."
        autoComplete="off"
        required
        {...fieldOf(form, 'location')}
      />
      <TextField label="Address" autoComplete="off" required {...fieldOf(form, 'address')} />
      <div className="grid gap-5 sm:grid-cols-3">
        <TextField label="City" optional autoComplete="off" {...fieldOf(form, 'city')} />
        <SelectField label="State" optional {...fieldOf(form, 'state')}>
          <option value="">No state</option>
          {usStates.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
        <TextField
          label="ZIP Code"
          optional
          inputMode="numeric"
          maxLength={5}
          autoComplete="off"
          {...fieldOf(form, 'zipCode')}
        />
      </div>
    </Fieldset>
  )
}

function BeaconFields({ form, saved }: PartProps & Pick<EventFormProps, 'saved'>) {
  const places = form.register('maxBeacons', { setValueAs: wholeNumberOrNull })
  return (
    <Fieldset legend="For your Beacons" heading>
      <TextareaField
        label="Beacon Incentives"
        hint="What a Beacon gets for helping: free entry, dinner, a thank-you on stage."
        required
        {...fieldOf(form, 'beaconIncentives')}
      />
      <TextareaField
        label="Instructions for approved Beacons"
        optional
        hint="Goes into the approval e-mail where it says [Custom Instructions]. Never public."
        {...fieldOf(form, 'beaconInstructions')}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="Promo code for Beacons"
          optional
          hint="Goes into the approval e-mail. Never public."
          autoComplete="off"
          {...fieldOf(form, 'promoCode')}
        />
        <TextField
          label="How many Beacons at most"
          optional
          hint="Applications close once so many are approved."
          inputMode="numeric"
          {...fieldOf(form, 'maxBeacons')}
          {...places}
        />
      </div>
      <DeadlineField form={form} saved={saved} />
      {saved !== undefined && (
        <CheckboxField
          label="Applications are closed"
          hint="Nobody can apply while this is on."
          look="switch"
          {...fieldOf(form, 'applicationsClosed')}
        />
      )}
    </Fieldset>
  )
}

/** A day and a time by the venue's clock, kept as the instant it is. */
function DeadlineField({ form, saved }: PartProps & Pick<EventFormProps, 'saved'>) {
  const { timeZone } = useZone(form, saved)
  const {
    field: { ref, name, value, onBlur, onChange },
    fieldState,
  } = useController({ control: form.control, name: 'applicationsCloseAt' })
  const clock = value ? wallClockIn(timeZone, new Date(value)) : null
  return (
    <TextField
      ref={ref}
      name={name}
      label="Applications close"
      optional
      hint="By the venue’s clock. Without it people can apply until the event ends."
      type="datetime-local"
      value={clock ? `${clock.date}T${clock.time}` : ''}
      error={fieldState.error?.message}
      onBlur={onBlur}
      onChange={(change) => {
        const [date = '', time = ''] = change.target.value.split('T')
        onChange(date && time ? instantOf(date, time.slice(0, 5), timeZone).toISOString() : null)
      }}
    />
  )
}

function wholeNumberOrNull(typed: unknown): unknown {
  if (typeof typed !== 'string') return typed ?? null
  return typed.trim() === '' ? null : Number(typed)
}
