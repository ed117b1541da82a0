import { useState, type ReactNode } from 'react'
import { useController, useWatch } from 'react-hook-form'
import type { Problem } from '#shared/contract/problem.ts'
import { doubtsAbout } from '#shared/events/date-doubts.ts'
import { eventRecord } from '#shared/events/event-record.ts'
import { datedEventFields, type EventFields } from '#shared/events/event.ts'
import { isCalendarDate, type Field } from '#shared/record/record.ts'
import { formatDate } from '#shared/time/date-range.ts'
import { lastDateOf, lastsPastMidnight } from '#shared/time/event-time.ts'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import { mainZoneOf, usStates } from '#shared/places/us-states.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { serverNow } from '../../sync/index.ts'
import { CheckboxField, SelectField } from '../../ui/choice-fields.tsx'
import { Fieldset } from '../../ui/field.tsx'
import { useLoadOnPress } from '../../ui/load-on-press.ts'
import { TextField, TextareaField } from '../../ui/text-field.tsx'
import { EventCover } from '../../applications/event-cover.tsx'
import { CoverField, CoverUpload } from './cover-field.tsx'
import type { EventFormValues } from './event-form-values.ts'
import { fieldOf, useOnValues, useRefusal, useSubmit, useZodForm, type ZodForm } from '../../ui/forms/use-zod-form.ts'

export interface EventFormProps {
  /** The form reads it once. */
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
  const zone = useZone(form, saved)
  const [previewed, setPreviewed] = useState<EventFields | null>(null)
  /** It brings the public page's parts, which the form does without. */
  const [EventPreview, loadPreview] = useLoadOnPress(async () => (await import('./event-preview.tsx')).EventPreview)
  const [doubted, setDoubted] = useState<{ fields: EventFields; doubts: readonly string[] } | null>(null)
  const submit = useSubmit(form, (fields) => {
    const doubts = doubtsAbout({ ...fields, timeZone: zone.timeZone }, saved, serverNow())
    if (doubts.length === 0) return onSubmit(fields)
    setDoubted({ fields, doubts })
  })

  return (
    // The browser's own bubbles would cover the messages next to the fields.
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
        <Button
          variant="secondary"
          size="large"
          onClick={(event) => {
            void form.handleSubmit((fields) => {
              setPreviewed(fields)
              loadPreview()
            })(event)
          }}
        >
          Preview
        </Button>
        <Button type="submit" size="large" pending={pending} pendingText="Saving...">
          {submitLabel}
        </Button>
      </div>
      {previewed && EventPreview && (
        <EventPreview fields={previewed} saved={saved} timeZone={zone.timeZone} onClose={() => setPreviewed(null)} />
      )}
      <ConfirmDialog
        open={doubted !== null}
        onClose={() => setDoubted(null)}
        onConfirm={() => {
          setDoubted(null)
          if (doubted) void onSubmit(doubted.fields)
        }}
        title="Are these dates right?"
        confirmLabel="Keep Them"
        cancelLabel="Change Dates"
        variant="primary"
      >
        {doubted?.doubts.join(' ')}
      </ConfirmDialog>
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
      <SelectField {...bind(form, 'visibility')} optional={false}>
        <option value="">Everyone</option>
        <option value="unlisted">Anyone with the link: it is in no list</option>
        <option value="hidden">Only you: it is not yet public</option>
      </SelectField>
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
  const zone = useZone(form, saved)
  const nightHint = useNightHint({ form })
  const start = form.register('startDate', {
    // Most events end on the day they start.
    onChange: () => {
      const { startDate: chosen, endDate } = form.getValues()
      if (chosen && !endDate && !form.getFieldState('endDate').isTouched) form.setValue('endDate', chosen)
    },
  })
  return (
    <Fieldset legend="When" heading hint={<ZoneHint {...zone} />}>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField type="date" {...bind(form, 'startDate')} {...start} />
        <TextField type="date" min={startDate || undefined} {...bind(form, 'endDate')} />
        <TextField type="time" {...bind(form, 'startTime')} />
        <TextField type="time" hint={nightHint} {...bind(form, 'endTime')} />
      </div>
    </Fieldset>
  )
}

/** Is shown where a night's end time is the next day's. */
function useNightHint({ form }: PartProps): string | undefined {
  const [startDate, endDate, startTime, endTime] = useWatch({
    control: form.control,
    name: ['startDate', 'endDate', 'startTime', 'endTime'],
  })
  const event = { startDate, endDate, startTime: startTime || null, endTime: endTime || null, timeZone: 'UTC' }
  if (!isCalendarDate(startDate) || startDate !== endDate || !lastsPastMidnight(event)) return undefined
  return `Ends the next day, ${formatDate(lastDateOf(event))}.`
}

interface Zone {
  readonly timeZone: string
  /** The ZIP code of a new place decides on the server. */
  readonly isSure: boolean
}

/** The zone is the server's while the place is unchanged, else the state's main zone. */
function useZone(form: PartProps['form'], saved: EventFormProps['saved']): Zone {
  const [state, zipCode] = useWatch({ control: form.control, name: ['state', 'zipCode'] })
  const unmoved = saved && (saved.state ?? '') === (state ?? '') && (saved.zipCode ?? '') === (zipCode ?? '')
  if (unmoved) return { timeZone: saved.timeZone, isSure: true }
  return { timeZone: mainZoneOf(state), isSure: Boolean(state) && !zipCode }
}

/** 'Central Time'. */
function zoneWords(timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longGeneric' }).formatToParts()
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
}

function ZoneHint({ timeZone, isSure }: Zone) {
  if (isSure) return <>Times are in the venue’s time zone: {zoneWords(timeZone)}.</>
  return <>Times are in the venue’s time zone. Its ZIP code, or else its state, decides which one that is.</>
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
        hint="Goes into the approval email where it says [Custom Instructions]. Never public."
        {...bind(form, 'beaconInstructions')}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField hint="Goes into the approval email. Never public." autoComplete="off" {...bind(form, 'promoCode')} />
        <TextField
          hint="Applications close when this many Beacons are approved."
          inputMode="numeric"
          {...bind(form, 'maxBeacons')}
          {...maxBeacons}
        />
      </div>
      <TextareaField
        hint="One a line, with the time if you like: “Door 6–8 PM”. You give them to Beacons after approving them."
        rows={3}
        {...bind(form, 'posts')}
      />
      <SelectField {...bind(form, 'postsFor')}>
        <option value="">You and each Beacon</option>
        <option value="guests">Guests too, on the event’s page</option>
      </SelectField>
      <TextField
        hint="Guests read it on the event’s page: “Look for a lantern pin.”"
        autoComplete="off"
        {...bind(form, 'guestHint')}
      />
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

/** The deadline is typed and kept as the venue's clock shows it. */
function DeadlineField({ form, saved }: PartProps & Pick<EventFormProps, 'saved'>) {
  const zone = useZone(form, saved)
  const { field, fieldState } = useController({ control: form.control, name: 'applicationsCloseAt' })
  return (
    <TextField
      {...field}
      label="Applications close"
      optional
      hint={`In the venue’s time zone${zone.isSure ? ` (${zoneWords(zone.timeZone)})` : ''}. Without a deadline people can apply until the event ends.`}
      type="datetime-local"
      value={field.value ?? ''}
      error={fieldState.error?.message}
      onChange={(change) => field.onChange(change.target.value.slice(0, 16) || null)}
    />
  )
}

function wholeNumberOrNull(typed: unknown): unknown {
  if (typeof typed !== 'string') return typed ?? null
  return typed.trim() === '' ? null : Number(typed)
}
