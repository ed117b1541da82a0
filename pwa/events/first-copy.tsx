import { replicaState } from '../sync/index.ts'
import { useObservable } from '../browser/observable.ts'
import { Skeleton } from '../ui/loading.tsx'

/** Is shown until the first copy of the replica is here. */
export function FirstCopy({ label }: { label: string }) {
  const { copiedPercent } = useObservable(replicaState)
  return <Skeleton shape="card" count={3} label={label} percent={copiedPercent} />
}
