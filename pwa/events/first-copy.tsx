import { useObservable, replicaState } from '../sync/index.ts'
import { Skeleton } from '../ui/loading.tsx'

/** Until the first copy of the replica is here. */
export function FirstCopy({ label }: { label: string }) {
  const { copiedPercent } = useObservable(replicaState)
  return <Skeleton shape="card" count={3} label={label} percent={copiedPercent} />
}
