import { useMemo } from 'react'
import { call, type Answered, type ApplicationRow, type When } from '../../sync/index.ts'
import { useAccountAnswer, type AccountQuestion } from '../../device/session/account-answers.ts'

const when: When<number> = { visible: true, reachable: 'always' }

/** On the device, so that the last number is there without a network. */
function useEventViews(eventId: number): Answered<number> {
  const question = useMemo<AccountQuestion<number>>(
    () => ({
      call: async (signal) => (await call('getEventViews', { params: { id: eventId }, signal })).views,
      onDisk: `views/${eventId}`,
    }),
    [eventId],
  )
  return useAccountAnswer(question, when)
}

const isThere = ({ application: { status, arrivedAt } }: ApplicationRow) => status === 'approved' && arrivedAt !== null

/** Views are counted on the server, the rest on this device. */
export function OverviewStrip(props: { eventId: number; rows: readonly ApplicationRow[]; approved: number }) {
  const { eventId, rows, approved } = props
  const { answer: views } = useEventViews(eventId)
  const figures = [
    ['Page views', views],
    ['Applications', rows.length],
    ['Approved', approved],
    ['Came', rows.filter(isThere).length],
  ] as const
  return (
    <dl aria-label="Overview" className="grid grid-cols-2 gap-x-6 max-lg:order-last max-lg:w-full sm:flex lg:gap-x-5">
      {figures.map(([label, value]) => (
        <div key={label} className="flex items-baseline gap-x-1.5 lg:flex-col">
          <dt className="order-last text-sm text-muted">{label}</dt>
          <dd className="font-semibold tabular-nums lg:text-xl lg:leading-6">
            {value?.toLocaleString('en-US') ?? '–'}
          </dd>
        </div>
      ))}
    </dl>
  )
}
