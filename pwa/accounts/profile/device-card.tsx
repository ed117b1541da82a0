import { Pencil } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { useDeviceIdentity, nameThisDevice } from '../../device/device-identity.ts'
import { useInstall } from '../../device/install.ts'
import { useTheme } from '../../device/theme.ts'
import { paths } from '../../paths.ts'
import { useOutbox } from '../../sync/index.ts'
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { HomeScreenSteps } from '../../ui/page/home-screen-steps.tsx'
import { ThemeToggle } from '../../ui/page/theme-toggle.tsx'
import { formatMoment } from '../../ui/page/local-time.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { Tooltip } from '../../ui/tooltip.tsx'
import { FactRow } from './fact-row.tsx'
import { StorageRow } from './storage-row.tsx'
import { useAction } from '../../ui/forms/use-action.ts'

export function DeviceCard({ onChanged, onWipe }: { onChanged: () => void; onWipe: () => void }) {
  const theme = useTheme()
  return (
    <Card
      title="This device"
      footer={
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="min-w-0 flex-[1_1_14rem] text-sm text-muted">
            Giving this device away? Wiping signs you out and leaves nothing of yours on it.
          </p>
          <Button variant="danger-quiet" onClick={onWipe}>
            Wipe This Device
          </Button>
        </div>
      }
    >
      <DeviceNameRow onNamed={onChanged} />
      <QueueRow />
      <StorageRow />
      <InstallRow />
      <FactRow term="Theme" action={<ThemeToggle />}>
        {{ light: 'Light', dark: 'Dark', system: 'Same as device' }[theme.choice]}
      </FactRow>
      <FactRow
        term="Version"
        action={
          <a
            href="/licenses.txt"
            target="_blank"
            className="inline-flex min-h-11 items-center underline decoration-edge underline-offset-4"
          >
            Licenses
          </a>
        }
      >
        Beaconry {String(import.meta.env.VERSION)}
      </FactRow>
    </Card>
  )
}

function QueueRow() {
  const { waiting, attention, lastSyncAt } = useOutbox()
  const now = useNow()
  const parts = [
    attention > 0 && `${attention} ${attention === 1 ? 'change needs' : 'changes need'} attention.`,
    waiting > 0 && `${waiting} ${waiting === 1 ? 'change is' : 'changes are'} on the way.`,
    attention + waiting === 0 && 'Everything is saved online.',
  ]
  return (
    <FactRow
      term="Changes"
      action={
        <ButtonLink to={paths.sync} variant="secondary">
          {attention > 0 ? 'Fix' : 'See Changes'}
        </ButtonLink>
      }
    >
      {parts.filter(Boolean).join(' ')}
      {lastSyncAt && <p className="text-sm text-muted">Up to date at {formatMoment(lastSyncAt, now)}.</p>}
    </FactRow>
  )
}

function InstallRow() {
  const { state, install } = useInstall()
  if (state === 'unavailable') return null
  const text = {
    installed: 'Installed: you are in the app.',
    available: 'Put Beaconry on the home screen: it opens without a network.',
    'by-hand': (
      <>
        Put Beaconry on the home screen: it opens without a network. <HomeScreenSteps />
      </>
    ),
  }[state]
  return (
    <FactRow
      term="App"
      action={
        state === 'available' && (
          <Button variant="secondary" onClick={() => void install()}>
            Install
          </Button>
        )
      }
    >
      {text}
    </FactRow>
  )
}

const focused = (field: HTMLInputElement | null) => field?.focus()

/** The name appears in the history of decisions and in the list of sessions. */
function DeviceNameRow({ onNamed }: { onNamed: () => void }) {
  const device = useDeviceIdentity()
  const [editing, setEditing] = useState(false)
  const [name, setName] = useState('')
  const [busy, run] = useAction('The name could not be kept')

  const open = () => {
    setName(device?.name ?? '')
    setEditing(true)
  }
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    await run(async () => {
      const told = await nameThisDevice(name)
      setEditing(false)
      toast({
        title: 'Device renamed',
        description: told ? undefined : 'Your other devices see the new name when there is a connection.',
      })
      if (told) onNamed()
    })
  }

  if (editing) {
    return (
      <form className="pb-3" onSubmit={(event) => void save(event)}>
        <TextField
          label="Name of this device"
          hint="Shown next to decisions made here."
          name="name"
          value={name}
          onChange={({ target }) => setName(target.value)}
          maxLength={60}
          autoComplete="off"
          ref={focused}
        />
        <div className="mt-3 flex gap-2">
          <Button type="submit" pending={busy} pendingText="Saving...">
            Save Name
          </Button>
          <Button variant="ghost" onClick={() => setEditing(false)}>
            Cancel
          </Button>
        </div>
      </form>
    )
  }
  return (
    <FactRow
      term="Name"
      action={
        <Tooltip hint="Rename this device">
          <IconButton label="Rename this device" onClick={open}>
            <Pencil className="size-5" />
          </IconButton>
        </Tooltip>
      }
    >
      <span className="text-lg font-medium">{device?.name ?? '…'}</span>
    </FactRow>
  )
}
