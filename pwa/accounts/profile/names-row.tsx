import type { AlertedDevice } from '#shared/alerts/device-calls.ts'
import { call } from '../../sync/index.ts'
import { CheckboxField } from '../../ui/choice-fields.tsx'
import { useAction } from '../../ui/forms/use-action.ts'
import { toast } from '../../ui/toast.ts'

/** It is off at first, because the lock screen can be read by anyone who holds the device. */
export function NamesRow(props: { device: AlertedDevice; onChanged: (device: AlertedDevice) => void }) {
  const { device, onChanged } = props
  const { id, showNames } = device
  const [busy, run] = useAction('Your choice was not saved')
  const change = () =>
    run(async () => {
      onChanged(await call('setShowNames', { params: { id }, body: { showNames: !showNames } }))
      toast({ title: showNames ? 'Alerts show no names here' : 'Alerts show names here' })
    })
  return (
    <div className="border-t border-base-300 py-1">
      <CheckboxField
        look="switch"
        label="Show names on this device’s lock screen"
        hint="An alert then says who applied. Anyone who sees the screen can read it."
        checked={showNames}
        disabled={busy}
        onChange={() => void change()}
      />
    </div>
  )
}
