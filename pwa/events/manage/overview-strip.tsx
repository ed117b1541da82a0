import { useMemo } from 'react'
import { came } from '#shared/applications/presence.ts'
import { useObservable } from '../../browser/observable.ts'
import { call, foldedView, type ApplicationRow, type questions } from '../../sync/index.ts'
import { may } from '../../device/session/acting.ts'
import { useAccountAnswer, type AccountQuestion } from '../../device/session/account-answers.ts'

const when: questions.RefetchOptions<number> = { visible: true, reachable: 'always' }

/** The number is kept on the device, so that the last one is there without a network. */
function useEventViews(eventId: number): questions.Answered<number> {
  const question = useMemo<AccountQuestion<number>>(
    () => ({
      call: async (signal) => (await call('getEventViews', { params: { id: eventId }, signal })).views,
      onDisk: `views/${eventId}`,
    }),
    [eventId],
  )
  return useAccountAnswer(question, may('manager') ? when : null)
}

/** Views are counted on the server, the rest on this device. */
export function OverviewStrip(props: { eventId: number; rows: readonly ApplicationRow[]; approved: number }) {
  const { eventId, rows, approved } = props
  const { answer: views } = useEventViews(eventId)
  const event = useObservable(foldedView).eventById.get(eventId)?.event
  const there = useMemo(
    () => rows.filter(({ application }) => event && application.status === 'approved' && came(application, event)),
    [rows, event],
  )
  const figures = [
    ...(may('manager') ? [['Page views', views] as const] : []),
    ['Applications', rows.length],
    ['Approved', approved],
    ['Came', there.length],
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
