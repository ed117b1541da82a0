import { formatDateRange } from '#shared/time/date-range.ts'
import type { ApplicationFields } from '#shared/applications/application.ts'
import { useObservable } from '../../api/observable.ts'
import { reachability } from '../../api/reachability.ts'
import { useDraft } from '../../device/drafts.ts'
import { saveFailureText } from '../../device/save-failure.ts'
import { ApplyForm, type Application } from '../apply-form.tsx'
import { applyFormOf, correctedFields, type ApplyFormValues } from '../apply-form-values.ts'
import { DraftKept } from '../../forms/draft-notice.tsx'
import type { Entry } from '../../outbox/entry.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { sendCorrection, type Opened } from './own-page-actions.ts'
import { wantedFields } from './own-page-state.ts'

/** The application form filled with what was sent before (or with a correction that was refused). */
export function CorrectionForm({
  opened,
  refused,
  onBack,
  onSaved,
}: {
  opened: Opened
  refused: Entry | null
  onBack: () => void
  onSaved: () => Promise<void>
}) {
  const { event, application } = opened
  const draft = useDraft<ApplyFormValues>(`visitor/own-application/${application.id}`)
  const unreachable = useObservable(reachability) === 'unreachable'
  const written = application as ApplicationFields & Opened['application']
  const start = { ...applyFormOf(fieldsOf((refused && wantedFields(refused)) ?? written), event), agreeTerms: true }

  const send = async ({ fields }: Application) => {
    try {
      await sendCorrection(opened, correctedFields(written, fields, event))
      await draft.clear()
      await onSaved()
    } catch (error) {
      toast({ variant: 'destructive', title: 'Application Failed', description: `Error: ${saveFailureText(error)}` })
    }
  }
  return (
    <Page
      width="text"
      title="Correct your application"
      lead={`${event.name} · ${formatDateRange(event.startDate, event.endDate)}`}
    >
      {draft.status === 'loading' ? (
        <Skeleton shape="detail" />
      ) : (
        <Card>
          <ApplyForm
            event={event}
            initial={draft.found ?? start}
            refusal={refused?.refusal?.problem}
            submitLabel="Save Correction"
            onChange={draft.save}
            onSend={send}
          />
          <div className="mt-4 flex flex-col gap-3">
            <Button
              variant="ghost"
              wide
              onClick={() => {
                void draft.clear()
                onBack()
              }}
            >
              Leave it as it was
            </Button>
            {unreachable && (
              <p className="text-sm text-muted">You are offline: your correction is saved here and sent by itself.</p>
            )}
            <DraftKept kept={draft.kept} />
          </div>
        </Card>
      )}
    </Page>
  )
}

/** What the form holds, of a document that holds more. */
function fieldsOf(fields: ApplicationFields): ApplicationFields {
  const { firstName, lastName, email, phone, linkedinUrl, company, jobTitle, customAnswers } = fields
  const { experience, expertise, whyBeacon, networkingStyle, bio } = fields
  return {
    firstName,
    lastName,
    email,
    phone,
    linkedinUrl,
    company,
    jobTitle,
    experience,
    expertise,
    whyBeacon,
    networkingStyle,
    bio,
    customAnswers,
  }
}
