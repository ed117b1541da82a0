import { Check, Ticket, X } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import type { SyntheticEvent } from 'react'
import { normalizePromoCode } from '#shared/billing/promo.ts'
import { call, Unreachable } from '../sync/index.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/text-field.tsx'
import { toast } from '../ui/toast.ts'
import { promoOfOpenOrder, rememberPromo, type AppliedPromo } from './plan-order.ts'

/** Closing forgets the code and its result. `initialCode` is applied at once. */
export function PromoBox(props: {
  planId: number | undefined
  applied: AppliedPromo | null
  onApplied: (promo: AppliedPromo | null) => void
  initialCode?: string | null | undefined
  /** The answer may be valid, invalid or failed. */
  onAnswered?: (() => void) | undefined
}) {
  const { planId, applied, onApplied, initialCode = null, onAnswered } = props
  const [open, setOpen] = useState(initialCode !== null)
  const [code, setCode] = useState(normalizePromoCode(initialCode ?? ''))
  const [pending, setPending] = useState(initialCode !== null)
  const [error, setError] = useState<string | null>(null)
  const newest = useRef(0)
  const boxId = useId()

  const change = (next: string) => {
    newest.current += 1
    setCode(next.toUpperCase())
    setError(null)
    setPending(false)
    onApplied(null)
  }
  const toggle = () => {
    if (open) change('')
    setOpen(!open)
  }
  const apply = async () => {
    const asked = normalizePromoCode(code)
    if (asked === '' || pending) return
    newest.current += 1
    setPending(true)
    setError(null)
    await ask(asked, newest.current)
  }
  const ask = async (asked: string, turn: number) => {
    try {
      const { valid, discount, message } = await call('validatePromoCode', { body: { code: asked } })
      // The code was changed or the box closed during the call.
      if (turn !== newest.current) return
      const open = valid || planId === undefined ? null : promoOfOpenOrder(planId, asked)
      if (valid) {
        const promo = { code: asked, discount, message }
        rememberPromo(promo)
        onApplied(promo)
        toast({ title: 'Promo code applied!', description: `${discount}% discount - ${message}` })
      } else if (open) onApplied(open)
      else setError(message)
    } catch (failure) {
      if (turn !== newest.current) return
      const message = failure instanceof Error ? failure.message : String(failure)
      setError(
        failure instanceof Unreachable
          ? 'Checking a code needs a connection. It stays here; try again when there is one.'
          : message,
      )
      toast({ variant: 'destructive', title: 'Error validating promo code', description: message })
    } finally {
      if (turn === newest.current) setPending(false)
      onAnswered?.()
    }
  }
  const askFirst = useEffectEvent((asked: string) => void ask(asked, newest.current))
  useEffect(() => {
    if (initialCode !== null) askFirst(normalizePromoCode(initialCode))
  }, [initialCode])

  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    void apply()
  }

  return (
    <div>
      <Button
        variant="ghost"
        className="-ml-4"
        icon={open ? <X className="size-5" /> : <Ticket className="size-5 text-signal" />}
        aria-expanded={open}
        aria-controls={boxId}
        onClick={toggle}
      >
        {open ? 'Close promo code' : 'Have a promo code?'}
      </Button>
      <div id={boxId} hidden={!open}>
        <form noValidate onSubmit={submit} className="mt-1 flex items-end gap-3">
          <div className="min-w-0 flex-1">
            <TextField
              label="Promo code"
              value={code}
              error={error ?? undefined}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={40}
              onChange={(event) => change(event.target.value)}
            />
          </div>
          <Button type="submit" variant="secondary" disabled={code.trim() === ''} pending={pending}>
            Apply
          </Button>
        </form>
        {applied && (
          <p className="mt-2 flex items-start gap-2 text-sm font-medium text-success">
            <Check className="mt-0.5 size-4 shrink-0" />
            {applied.discount}% discount: {applied.message}
          </p>
        )}
      </div>
    </div>
  )
}
