import { Card } from '../../ui/card.tsx'
import { SkeletonLine } from '../../ui/loading.tsx'

/** Summary and card form side by side; below each other on a phone. */
export const columns = 'grid items-start gap-5 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] lg:gap-6'

/** Holds the place of the card form while the provider brings it. */
export function CardFormShape() {
  return (
    <div className="flex flex-col gap-4" aria-hidden="true">
      <SkeletonLine className="h-3 w-28" />
      <SkeletonLine className="h-11 rounded-field" />
      <div className="grid grid-cols-2 gap-4">
        {['date', 'code'].map((field) => (
          <div key={field} className="flex flex-col gap-4">
            <SkeletonLine className="h-3 w-24" />
            <SkeletonLine className="h-11 rounded-field" />
          </div>
        ))}
      </div>
      <SkeletonLine className="h-3 w-20" />
      <SkeletonLine className="h-11 rounded-field" />
    </div>
  )
}

/** Holds the place of the whole checkout. */
export function CheckoutShape() {
  return (
    <>
      <output className="sr-only">Loading your plan</output>
      <div className={columns} aria-hidden="true">
        <Card>
          <SkeletonLine className="mt-1 h-5 w-36" />
          <div className="mt-6 grid gap-x-8 gap-y-6 sm:grid-cols-2">
            {['plan', 'price', 'events', 'duration'].map((fact) => (
              <div key={fact} className="flex justify-between gap-3 sm:flex-col">
                <SkeletonLine className="h-3 w-16" />
                <SkeletonLine className="h-4 w-24" />
              </div>
            ))}
          </div>
          <SkeletonLine className="mt-8 h-6 w-44" />
          <SkeletonLine className="mt-6 h-6" />
        </Card>
        <Card>
          <SkeletonLine className="mt-1 mb-6 h-5 w-28" />
          <CardFormShape />
          <SkeletonLine className="mt-6 h-13 rounded-field" />
        </Card>
      </div>
    </>
  )
}
