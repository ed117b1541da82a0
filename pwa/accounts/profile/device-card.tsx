import { useInstall } from '../../device/install.ts'
import { useStorageUse } from '../../device/storage-use.ts'
import { useTheme } from '../../device/theme.ts'
import { paths } from '../../paths.ts'
import { useOutbox } from '../../session/use-outbox.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card, CardTitle } from '../../ui/card.tsx'
import { ThemeToggle } from '../../ui/theme-toggle.tsx'
import { toast } from '../../ui/toast.ts'
import { formatMoment } from '../../page/local-time.ts'
import { useMinute } from '../../page/use-minute.ts'
import { DeviceNameRow } from './device-name-row.tsx'
import { FactRow } from './fact-row.tsx'
import { formatBytes, persistenceText } from './storage-text.ts'

/** Everything about this phone in one place: its name, what it keeps, and how to leave nothing behind. */
export function DeviceCard({ onChanged, onWipe }: { onChanged: () => void; onWipe: () => void }) {
  const theme = useTheme()
  return (
    <Card
      as="section"
      aria-labelledby="this-device"
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
      <CardTitle id="this-device">This device</CardTitle>
      <DeviceNameRow onNamed={onChanged} />
      <QueueRow />
      <StorageRow />
      <InstallRow />
      <FactRow term="Theme" action={<ThemeToggle value={theme.choice} onChange={theme.choose} />}>
        {{ light: 'Light', dark: 'Dark', system: 'As this device has it' }[theme.choice]}
      </FactRow>
    </Card>
  )
}

function QueueRow() {
  const { waiting, attention, lastSyncAt } = useOutbox()
  const now = useMinute()
  const parts = [
    attention > 0 && `${attention} ${attention === 1 ? 'change needs' : 'changes need'} attention.`,
    waiting > 0 && `${waiting} ${waiting === 1 ? 'change is' : 'changes are'} on the way.`,
    attention + waiting === 0 && 'Every change is on the server.',
  ]
  return (
    <FactRow
      term="Changes"
      action={
        <ButtonLink to={paths.sync} variant="secondary">
          {attention > 0 ? 'Put Right' : 'See Changes'}
        </ButtonLink>
      }
    >
      {parts.filter(Boolean).join(' ')}
      {lastSyncAt && <p className="text-sm text-muted">In step as of {formatMoment(lastSyncAt, now)}.</p>}
    </FactRow>
  )
}

function StorageRow() {
  const { use, keep } = useStorageUse()
  const ask = async () => {
    if (await keep()) toast({ title: 'The browser keeps your data' })
    else {
      toast({
        title: 'The browser did not agree',
        description: 'Most browsers do once the app is installed or its alerts are on.',
      })
    }
  }
  return (
    <FactRow
      term="Kept here"
      action={
        use?.persistent === false && (
          <Button variant="secondary" onClick={() => void ask()}>
            Ask to Keep
          </Button>
        )
      }
    >
      {use === null ? '…' : use.usedBytes === null ? 'Your events and applicants' : formatBytes(use.usedBytes)}
      <p className="text-sm text-muted">{use ? persistenceText(use.persistent) : '…'}</p>
    </FactRow>
  )
}

function InstallRow() {
  const { state, install } = useInstall()
  if (state === 'unavailable') return null
  const text = {
    installed: 'Installed: you are in the app.',
    available: 'Put Beaconry on the home screen: it opens without a network.',
    'by-hand': 'Press Share, then Add to Home Screen: it opens without a network.',
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
