import { useObservable, replicaState } from '../sync/index.ts'
import { Skeleton } from '../ui/loading.tsx'

/** The place of an organizer's events or applications until their first copy is here, with how much of it is. */
export function FirstCopy({ label }: { label: string }) {
  const { copiedPercent } = useObservable(replicaState)
  return <Skeleton shape="card" count={3} label={label} percent={copiedPercent} />
}
