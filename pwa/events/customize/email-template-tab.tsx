import { useRef, type ChangeEvent } from 'react'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import { approvalMail, defaultBody, defaultSubject, unknownPlaceholders } from '#shared/mail/email-template.ts'
import { placeholders, type Placeholder } from '#shared/events/template-placeholders.ts'
import { paths } from '../../paths.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Fieldset } from '../../ui/field.tsx'
import { TextField, TextareaField } from '../../ui/text-field.tsx'
import type { Customization, CustomizationErrors } from './customization.ts'

const subjectId = 'template-subject'
const bodyId = 'template-body'

type TextName = Exclude<keyof Customization, 'customQuestions' | 'showDefaultQuestions'>

const notUsedYet = 'Your own text is used once you have confirmed your email address'

const sampleName = 'Ana Ruiz'

/** @param confirmed the organizer's address is; before, the default text is sent */
export function EmailTemplateTab(props: {
  event: EventDocument
  values: Customization
  errors: CustomizationErrors
  confirmed: boolean
  onChange: (changed: Partial<Customization>) => void
}) {
  const { event, values, errors, confirmed, onChange } = props
  const lastField = useRef<typeof subjectId | typeof bodyId>(bodyId)
  const unknown = unknownPlaceholders(`${values.customBeaconEmailSubject}\n${values.customBeaconEmailBody}`)
  const mail = approvalMail(sampleName, { ...event, ...values }, confirmed)
  const bind = (name: TextName) => ({
    value: values[name],
    error: errors[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange({ [name]: target.value }),
  })

  function insert(placeholder: Placeholder) {
    const field = document.getElementById(lastField.current)
    if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return
    field.focus()
    const { selectionStart, selectionEnd, value } = field
    field.setRangeText(`[${placeholder}]`, selectionStart ?? value.length, selectionEnd ?? value.length, 'end')
    onChange(
      lastField.current === bodyId ? { customBeaconEmailBody: field.value } : { customBeaconEmailSubject: field.value },
    )
  }

  return (
    <Fieldset
      legend="Approval email"
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
        onFocus={() => (lastField.current = subjectId)}
        {...bind('customBeaconEmailSubject')}
      />
      <TextareaField
        id={bodyId}
        label="Body"
        optional
        rows={10}
        placeholder={defaultBody}
        onFocus={() => (lastField.current = bodyId)}
        {...bind('customBeaconEmailBody')}
      />
      <div>
        <p className="font-medium">Placeholders</p>
        <p className="text-sm text-muted">
          Press one to put it where you were writing. [Beacon Name] reads “Beacon” until the applicant has opened the
          link in an earlier email.
        </p>
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
          hint="Appears where the template says [Custom Instructions]. Never public."
          rows={3}
          {...bind('beaconInstructions')}
        />
        <TextField
          label="Code for your Beacons"
          optional
          hint="Appears where the template says [Promo Code]. Never public."
          autoComplete="off"
          {...bind('promoCode')}
        />
      </div>
      {unknown.length > 0 && (
        <Alert variant="signal" title="These will arrive as they are written">
          {unknown.map((name) => `[${name}]`).join(', ')}
        </Alert>
      )}
      {/* The preview is the mail as it will be sent, to a Beacon called Ana Ruiz. */}
      <section aria-labelledby="mail-preview" className="rounded-box bg-quiet-soft p-4">
        <p id="mail-preview" className="text-sm font-medium text-muted">
          Preview for Ana Ruiz
        </p>
        {!confirmed && <p className="mt-1 text-sm text-muted">{notUsedYet}.</p>}
        <p className="mt-2 font-semibold">{mail.subject}</p>
        <p className="mt-2 whitespace-pre-wrap">{mail.text}</p>
      </section>
    </Fieldset>
  )
}
