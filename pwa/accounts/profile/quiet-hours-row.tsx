import { useState, type FormEvent } from 'react'
import type { AlertedDevice } from '#shared/alerts/device-calls.ts'
import { formatTime } from '#shared/time/date-range.ts'
import type { QuietHours } from '#shared/alerts/quiet-hours.ts'
import { call, Refused } from '../../sync/index.ts'
import { zoneHere } from '../../device/alerts/push-alerts.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { FactRow } from './fact-row.tsx'

const suggested = { from: '22:00', to: '07:00' }

/** 'from 10:00 PM to 7:00 AM' */
export const quietText = ({ from, to }: QuietHours) => `from ${formatTime(from)} to ${formatTime(to)}`

const focused = (field: HTMLInputElement | null) => field?.focus()

export function QuietHoursRow(props: { device: AlertedDevice; onChanged: (device: AlertedDevice) => void }) {
  const { device, onChanged } = props
  const { id, quietHours } = device
  const [editing, setEditing] = useState(false)
  const [times, setTimes] = useState(suggested)
  const [error, setError] = useState<string | undefined>()
  const [busy, setBusy] = useState(false)

  const open = () => {
    setTimes(quietHours ?? suggested)
    setError(undefined)
    setEditing(true)
  }
  const change = async (wanted: QuietHours | null) => {
    setBusy(true)
    try {
      const changed = await call('setQuietHours', { params: { id }, body: { quietHours: wanted } })
      setEditing(false)
      toast({
        title: wanted ? 'Quiet hours saved' : 'Quiet hours are off',
        description: wanted ? 'One alert at their end says what arrived during them.' : undefined,
      })
      onChanged(changed)
    } catch (failure) {
      const description = failure instanceof Error ? failure.message : String(failure)
      const [field] = failure instanceof Refused ? Object.values(failure.problem.fields ?? {}) : []
      if (field === undefined) toast({ variant: 'destructive', title: 'Quiet hours were not saved', description })
      else setError(field)
    } finally {
      setBusy(false)
    }
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (times.from === '' || times.to === '') setError('Please enter both times')
    else if (times.from === times.to) setError('Please choose an end that differs from the start')
    else void change({ from: times.from, to: times.to, timeZone: zoneHere() })
  }

  if (!editing) {
    return (
      <FactRow
        term="Quiet hours on this device"
        action={
          <Button variant="secondary" onClick={open}>
            {quietHours ? 'Change Quiet Hours' : 'Set Quiet Hours'}
          </Button>
        }
      >
        {quietHours ? `Every day ${quietText(quietHours)}.` : 'None: alerts come at any hour.'}
        {quietHours && <p className="text-sm text-muted">One alert at their end says what arrived during them.</p>}
      </FactRow>
    )
  }
  return (
    <form noValidate className="border-t border-base-300 py-3" onSubmit={save}>
      <h3 className="text-sm font-normal text-muted">Quiet hours on this device</h3>
      <div className="mt-2 grid grid-cols-2 gap-4">
        <TextField
          label="From"
          type="time"
          name="quietFrom"
          error={error}
          value={times.from}
          onChange={({ target }) => setTimes({ ...times, from: target.value })}
          ref={focused}
        />
        <TextField
          label="To"
          type="time"
          name="quietTo"
          value={times.to}
          onChange={({ target }) => setTimes({ ...times, to: target.value })}
        />
      </div>
      <p className="mt-2 text-sm text-muted">
        By the clock of this device ({zoneHere()}). One alert at the end says what arrived during them.
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button type="submit" pending={busy} pendingText="Saving...">
          Save Quiet Hours
        </Button>
        {quietHours && (
          <Button variant="secondary" onClick={() => void change(null)}>
            Turn Off
          </Button>
        )}
        <Button variant="ghost" onClick={() => setEditing(false)}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
