export function SkeletonLine({ className = 'w-full' }: { className?: string | undefined }) {
  return <span className={`block h-4 animate-shimmer rounded bg-base-300 ${className}`} />
}

function CardShape() {
  return (
    <div className="rounded-box border border-base-300 bg-base-100 p-4 sm:p-6">
      <div className="flex items-center gap-3">
        <span className="size-12 animate-shimmer rounded-full bg-base-300" />
        <span className="flex flex-1 flex-col gap-2">
          <SkeletonLine className="w-1/2" />
          <SkeletonLine className="h-3 w-1/3" />
        </span>
      </div>
      <div className="mt-4 flex flex-col gap-2.5">
        <SkeletonLine className="h-3" />
        <SkeletonLine className="h-3 w-4/5" />
      </div>
    </div>
  )
}

function RowShape() {
  return (
    <div className="flex min-h-16 items-center gap-4 border-b border-base-300 px-4 py-3 last:border-0">
      <SkeletonLine className="w-2/5" />
      <SkeletonLine className="h-3 w-1/5" />
      <SkeletonLine className="ml-auto h-6 w-16 rounded-full" />
    </div>
  )
}

/** It is as high as a typical event card, so that nothing moves. */
function EventShape() {
  return (
    <div className="rounded-box border border-base-300 bg-base-100 md:flex">
      <span className="block aspect-3/1 animate-shimmer rounded-t-box bg-base-300 md:aspect-auto md:w-72 md:rounded-l-box md:rounded-tr-none" />
      <div className="flex flex-1 flex-col gap-3 p-4 pb-2 md:pb-3">
        <div className="flex gap-4">
          <span className="h-16 w-14 shrink-0 animate-shimmer rounded-xl bg-base-300" />
          <span className="flex flex-1 flex-col [&>*]:flex [&>*]:items-center">
            <span className="h-7">
              <SkeletonLine className="h-5 w-3/4" />
            </span>
            <span className="mt-1 h-6.5">
              <SkeletonLine className="w-3/5" />
            </span>
            <span className="h-5.5 sm:hidden!">
              <SkeletonLine className="h-3 w-1/2" />
            </span>
            <span className="mt-2 h-6.5">
              <SkeletonLine className="w-2/5" />
            </span>
            <span className="h-5.5">
              <SkeletonLine className="h-3 w-1/3" />
            </span>
          </span>
        </div>
        <div className="flex flex-wrap items-center justify-between">
          <span className="flex h-6 w-full items-center md:w-1/2">
            <SkeletonLine className="h-3 w-4/5" />
          </span>
          <span className="ml-auto flex h-11 items-center">
            <SkeletonLine className="w-28" />
          </span>
        </div>
      </div>
    </div>
  )
}

function DetailShape() {
  return (
    <div className="flex flex-col gap-4">
      <SkeletonLine className="h-9 w-3/4" />
      <SkeletonLine className="h-4 w-1/2" />
      <SkeletonLine className="mt-4 h-3" />
      <SkeletonLine className="h-3 w-11/12" />
      <SkeletonLine className="h-3 w-2/3" />
      <SkeletonLine className="mt-4 h-28 rounded-box" />
    </div>
  )
}

const shapes = { card: CardShape, row: RowShape, event: EventShape, detail: DetailShape }
const arrangements = {
  card: 'flex flex-col gap-4',
  row: '',
  event: 'flex flex-col gap-4',
  detail: 'flex flex-col gap-4',
}

/** Keeps the shape of the content to come, and is read out as its label. */
export function Skeleton(props: {
  shape: keyof typeof shapes
  count?: number | undefined
  label?: string | undefined
  percent?: number | null | undefined
}) {
  const { shape, count = 1, label = 'Loading', percent = null } = props
  const Shape = shapes[shape]
  return (
    <div className={arrangements[shape]}>
      <output className={percent === null ? 'sr-only' : 'text-sm text-muted'}>
        {label}
        {percent !== null && `: ${percent}% is here`}
      </output>
      {Array.from({ length: count }, (_, index) => index).map((index) => (
        <Shape key={index} />
      ))}
    </div>
  )
}

/** `label` is read out; without it the spinner is decoration. */
export function Spinner({ label, className = '' }: { label?: string | undefined; className?: string | undefined }) {
  return (
    <span
      className={`loading loading-spinner size-5 shrink-0 ${className}`}
      role={label ? 'status' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
    />
  )
}

export function PageSpinner({ label = 'Loading' }: { label?: string | undefined }) {
  return (
    <div className="grid min-h-[50dvh] place-items-center text-muted">
      <Spinner label={label} className="size-8" />
    </div>
  )
}
