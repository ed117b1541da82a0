import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'

const momentFormat = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})

/** Says that a form holds what was typed earlier, and offers to begin again. Renders nothing without an earlier draft. */
export function DraftNotice({ writtenAt, onStartOver }: { writtenAt: string | null; onStartOver: () => void }) {
  if (writtenAt === null) return null
  return (
    <div className="mb-4">
      <Alert
        variant="quiet"
        action={
          <Button variant="secondary" size="small" onClick={onStartOver}>
            Start over
          </Button>
        }
      >
        This is your draft of {momentFormat.format(new Date(writtenAt))}, kept on this phone.
      </Alert>
    </div>
  )
}

/** Where the newest text is, in one quiet line beside the button. */
export function DraftKept({ kept }: { kept: 'memory' | 'saved' | 'failed' }) {
  if (kept === 'failed') {
    return (
      <p className="text-sm font-medium text-error">
        This phone could not keep the draft. Leave this page open until you have saved.
      </p>
    )
  }
  return <p className="text-sm text-muted">What you type is kept on this phone.</p>
}
