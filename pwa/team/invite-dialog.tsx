import { Copy, Share2 } from 'lucide-react'
import { useState } from 'react'
import { invitationDays, roleDescriptions, roleNames, roles, type Role } from '#shared/contract/roles.ts'
import { paths } from '../paths.ts'
import { call } from '../sync/index.ts'
import { Button, ButtonRow } from '../ui/button.tsx'
import { RadioGroupField } from '../ui/choice-fields.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useAction } from '../ui/forms/use-action.ts'
import { QrCode } from '../ui/qr-code.tsx'
import { toast } from '../ui/toast.ts'

/** First the role, then the link: it is shown once, because the server keeps only its hash. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [role, setRole] = useState<Role>('door')
  const [token, setToken] = useState<string | null>(null)
  const [busy, run] = useAction('The invitation was not made')
  const invite = async () => {
    await run(async () => setToken((await call('inviteToTeam', { body: { role } })).token))
  }
  if (token !== null) return <InvitationLink role={role} token={token} onClose={onClose} />
  return (
    <Dialog
      open
      onClose={onClose}
      shape="box"
      title="Invite someone"
      footer={
        <ButtonRow>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button pending={busy} pendingText="Making the link..." onClick={() => void invite()}>
            Make the Link
          </Button>
        </ButtonRow>
      }
    >
      <RadioGroupField
        label="Their role"
        name="role"
        value={role}
        onChange={({ target }) => setRole(target.value as Role)}
        options={roles.map((value) => ({ value, label: roleNames[value], hint: roleDescriptions[value] }))}
      />
    </Dialog>
  )
}

function InvitationLink({ role, token, onClose }: { role: Role; token: string; onClose: () => void }) {
  const address = `${location.origin}${paths.joinTeam}#${token}`
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address)
      toast({ title: 'Link copied', description: 'Send it to the person you invite, and to no one else.' })
    } catch {
      const description = `This browser does not allow it here. The link is ${address}`
      toast({ variant: 'destructive', title: 'Not copied', description })
    }
  }
  const share = async () => {
    try {
      await navigator.share({ title: 'Help with my events on Beaconry', url: address })
    } catch (error) {
      if (!(error instanceof Error && error.name === 'AbortError')) await copy()
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      shape="box"
      title={`Invitation: ${roleNames[role]}`}
      footer={
        <ButtonRow>
          <Button variant="secondary" onClick={onClose}>
            Done
          </Button>
          {'share' in navigator ? (
            <Button icon={<Share2 className="size-4" />} onClick={() => void share()}>
              Share
            </Button>
          ) : (
            <Button icon={<Copy className="size-4" />} onClick={() => void copy()}>
              Copy link
            </Button>
          )}
        </ButtonRow>
      }
    >
      <div className="flex flex-col items-center text-center">
        <QrCode text={address} label="QR code: invitation to your team" className="w-full max-w-64" />
        <p className="mt-4 font-medium">Let the person you invite scan this code, or send them the link.</p>
        <p className="mt-1 text-sm text-muted">
          It works once, for {invitationDays} days. It is shown only now; make another one if it gets lost.
        </p>
      </div>
    </Dialog>
  )
}
