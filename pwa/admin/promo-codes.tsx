import { useState } from 'react'
import type { PromoCode } from '#shared/admin/promo-code-calls.ts'
import { call } from '../sync/index.ts'
import { toastFailure } from '../ui/forms/failure-toast.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { formatDay } from '../ui/page/local-time.ts'
import { useNow } from '../ui/page/use-now.ts'
import { toast } from '../ui/toast.ts'
import { PromoCodeForm } from './promo-code-form.tsx'

interface PromoCodesProps {
  readonly codes: readonly PromoCode[]
  readonly onChanged: () => void
}

export function PromoCodes({ codes, onChanged }: PromoCodesProps) {
  const [stopping, setStopping] = useState<PromoCode | null>(null)
  const [creating, setCreating] = useState(false)
  const stop = async ({ id, code }: PromoCode) => {
    setStopping(null)
    try {
      await call('stopPromoCode', { params: { id } })
      toast({ title: `${code} is stopped` })
      onChanged()
    } catch (error) {
      toastFailure('It was not stopped', error)
    }
  }
  return (
    <>
      {creating ? (
        <Card className="mb-6" title="New promo code">
          <PromoCodeForm
            onDone={() => {
              setCreating(false)
              onChanged()
            }}
            onCancel={() => setCreating(false)}
          />
        </Card>
      ) : (
        <div className="mb-4">
          <Button onClick={() => setCreating(true)}>New Promo Code</Button>
        </div>
      )}
      {codes.length === 0 ? (
        <Card>
          <EmptyState illustration="clear" title="No promo codes yet">
            A code takes off part of a plan’s price, or all of it.
          </EmptyState>
        </Card>
      ) : (
        <ul aria-label="Promo codes" className="grid gap-3 lg:grid-cols-2">
          {codes.map((code) => (
            <PromoCodeCard key={code.id} promo={code} onStop={() => setStopping(code)} />
          ))}
        </ul>
      )}
      <ConfirmDialog
        open={stopping !== null}
        onClose={() => setStopping(null)}
        onConfirm={() => stopping && void stop(stopping)}
        title={`Stop ${stopping?.code ?? ''}?`}
        confirmLabel="Stop Code"
      >
        It is no longer accepted. Plans that were bought with it stay as they are.
      </ConfirmDialog>
    </>
  )
}

function PromoCodeCard({ promo, onStop }: { promo: PromoCode; onStop: () => void }) {
  const { code, description, percent, validUntil, maxUses, uses, isActive, usedBy } = promo
  const now = useNow()
  const isOver = validUntil !== null && Date.parse(validUntil) <= now.getTime()
  const state = isActive ? (isOver ? 'Expired' : 'Active') : 'Stopped'
  return (
    <Card as="li" padding="tight">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h3 className="text-lg break-words">{code}</h3>
          <p className="text-sm break-words text-muted">{description}</p>
        </div>
        <Badge tone={state === 'Active' ? 'success' : 'quiet'}>{state}</Badge>
      </div>
      <p className="mt-2 text-sm tabular-nums">
        {percent}% off · {uses} {uses === 1 ? 'use' : 'uses'}
        {maxUses !== null && ` of ${maxUses}`}
        {validUntil !== null && ` · until ${formatDay(validUntil)}`}
      </p>
      <div className="mt-2 flex flex-wrap items-center justify-between gap-3">
        {usedBy.length > 0 ? (
          <details className="min-w-0 text-sm">
            <summary className="inline-flex min-h-11 cursor-pointer items-center underline decoration-edge underline-offset-4">
              Who used it
            </summary>
            <ul className="mt-1">
              {usedBy.map(({ username, at }) => (
                <li key={`${username} ${at}`} className="break-words">
                  {username} <span className="text-muted">· {formatDay(at)}</span>
                </li>
              ))}
            </ul>
          </details>
        ) : (
          <span className="text-sm text-muted">{uses === 0 && 'Not used yet'}</span>
        )}
        {isActive && (
          <Button variant="danger-quiet" size="small" aria-label={`Stop ${code}`} onClick={onStop}>
            Stop
          </Button>
        )}
      </div>
    </Card>
  )
}
