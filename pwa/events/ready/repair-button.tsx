import { useAppUpdate } from '../../device/app-update.ts'
import { requestPersistence } from '../../device/kept-storage.ts'
import { usePushAlerts } from '../../device/alerts/push-alerts.ts'
import { syncNow } from '../../device/session/sync-now.ts'
import { paths } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { toast } from '../../ui/toast.ts'
import { fetchShell } from './rehearsal.ts'
import type { Repair } from './ready-lines.ts'

async function sync(): Promise<void> {
  const outcome = await syncNow()
  if (outcome !== 'in-step') {
    const title = outcome === 'unreachable' ? 'No connection right now' : 'Not up to date yet'
    toast({ title, description: 'It is tried again automatically.', variant: 'destructive' })
  }
}

async function keepStorage(): Promise<void> {
  if (await requestPersistence()) return
  const description = 'Most browsers do once the app is installed or its alerts are on.'
  toast({ title: 'The browser did not agree', description })
}

/** @param props.onRepaired called when the press may have changed what the check finds */
export function RepairButton(props: {
  readonly repair: Exclude<Repair, 'show-install-steps'>
  readonly onRepaired: () => void
}) {
  const { repair, onRepaired } = props
  const { apply } = useAppUpdate()
  const { turnOn } = usePushAlerts()
  const [isRunning, run] = useAction('That did not work')
  if (repair === 'open-queue') {
    return (
      <ButtonLink to={paths.sync} variant="secondary">
        See the changes
      </ButtonLink>
    )
  }
  const repairs = {
    sync: { word: 'Sync now', work: sync },
    'keep-storage': { word: 'Keep It Safe', work: keepStorage },
    'turn-on-alerts': { word: 'Turn On Alerts', work: async () => void (await turnOn()) },
    'update-app': { word: 'Update', work: async () => apply() },
    'fetch-files': { word: 'Load Them', work: fetchShell },
    reload: { word: 'Reload', work: async () => location.reload() },
  }
  const { word, work } = repairs[repair]
  const press = () =>
    run(async () => {
      await work()
      if (repair !== 'update-app' && repair !== 'reload') onRepaired()
    })
  return (
    <Button variant="secondary" pending={isRunning} onClick={() => void press()}>
      {word}
    </Button>
  )
}
