import { useRef } from 'react'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import {
  approvalMail,
  defaultBody,
  defaultSubject,
  placeholders,
  unknownPlaceholders,
} from '#shared/mail/email-template.ts'
import type { Placeholder } from '#shared/mail/email-template.ts'
import { paths } from '../../paths.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Fieldset } from '../../ui/fieldset.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { TextareaField } from '../../ui/textarea-field.tsx'
import type { Customization, CustomizationErrors } from './customization.ts'

const subjectId = 'template-subject'
const bodyId = 'template-body'

/** What an organizer's words wait for. */
const notUsedYet = 'Your own text is used once you have confirmed your e-mail address'

const sampleApplicant = { firstName: 'Ana', lastName: 'Ruiz' }

/**
 * Subject and body of the approval e-mail, the placeholders as buttons, and the mail as it will arrive.
 * @param confirmed whether the organizer has confirmed their own e-mail address: before that the default text is sent
 */
export function EmailTemplateTab({
  event,
  values,
  errors,
  confirmed,
  onChange,
}: {
  event: EventDocument
  values: Customization
  errors: CustomizationErrors
  confirmed: boolean
  onChange: (changed: Partial<Customization>) => void
}) {
  const lastField = useRef<typeof subjectId | typeof bodyId>(bodyId)
  const { customBeaconEmailSubject: subject, customBeaconEmailBody: body } = values
  const unknown = unknownPlaceholders(`${subject}\n${body}`)

  function insert(placeholder: Placeholder) {
    const field = document.getElementById(lastField.current)
    if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return
    field.focus()
    field.setRangeText(
      `[${placeholder}]`,
      field.selectionStart ?? field.value.length,
      field.selectionEnd ?? field.value.length,
      'end',
    )
    onChange(
      lastField.current === bodyId ? { customBeaconEmailBody: field.value } : { customBeaconEmailSubject: field.value },
    )
  }

  return (
    <Fieldset
      legend="Approval e-mail"
      heading
      hint="Sent once to each Beacon you approve. Leave it blank to send the default template."
    >
      {!confirmed && (
        <Alert
          variant="signal"
          title={notUsedYet}
          action={
            <ButtonLink to={paths.profile} variant="secondary" size="small">
              Confirm It on Your Profile
            </ButtonLink>
          }
        >
          Until then Beacons get the default text, without your instructions and promo code. What you write here is
          kept.
        </Alert>
      )}
      <TextField
        id={subjectId}
        label="Subject"
        optional
        placeholder={defaultSubject}
        value={subject}
        error={errors.customBeaconEmailSubject}
        onFocus={() => (lastField.current = subjectId)}
        onChange={(change) => onChange({ customBeaconEmailSubject: change.target.value })}
      />
      <TextareaField
        id={bodyId}
        label="Body"
        optional
        rows={10}
        placeholder={defaultBody}
        value={body}
        error={errors.customBeaconEmailBody}
        onFocus={() => (lastField.current = bodyId)}
        onChange={(change) => onChange({ customBeaconEmailBody: change.target.value })}
      />
      <div>
        <p className="font-medium">Placeholders</p>
        <p className="text-sm text-muted">Press one to put it where you were writing.</p>
        <div className="mt-2 flex flex-wrap gap-2">
          {placeholders.map((placeholder) => (
            <Button key={placeholder} variant="secondary" size="small" onClick={() => insert(placeholder)}>
              [{placeholder}]
            </Button>
          ))}
        </div>
      </div>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextareaField
          label="Instructions for approved Beacons"
          optional
          hint="Stands where the template says [Custom Instructions]. Never public."
          rows={3}
          value={values.beaconInstructions}
          error={errors.beaconInstructions}
          onChange={(change) => onChange({ beaconInstructions: change.target.value })}
        />
        <TextField
          label="Promo code for Beacons"
          optional
          hint="Stands where the template says [Promo Code]. Never public."
          autoComplete="off"
          value={values.promoCode}
          error={errors.promoCode}
          onChange={(change) => onChange({ promoCode: change.target.value })}
        />
      </div>
      {unknown.length > 0 && (
        <Alert variant="signal" title="These will arrive as they are written">
          {unknown.map((name) => `[${name}]`).join(', ')}
        </Alert>
      )}
      <MailPreview event={event} values={values} confirmed={confirmed} />
    </Fieldset>
  )
}

/** The mail as the delivery will write it, for a Beacon called Ana Ruiz. */
function MailPreview({
  event,
  values,
  confirmed,
}: {
  event: EventDocument
  values: Customization
  confirmed: boolean
}) {
  const mail = approvalMail(sampleApplicant, { ...event, ...values }, confirmed)
  return (
    <section aria-labelledby="mail-preview" className="rounded-box bg-quiet-soft p-4">
      <p id="mail-preview" className="text-sm font-medium text-muted">
        Preview for Ana Ruiz
      </p>
      {!confirmed && <p className="mt-1 text-sm text-muted">{notUsedYet}.</p>}
      <p className="mt-2 font-semibold">{mail.subject}</p>
      <p className="mt-2 whitespace-pre-wrap">{mail.text}</p>
    </section>
  )
}
