import { Copy, QrCode, Share2, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import type { ViewSource } from '#shared/events/view-source.ts'
import { Button } from '../ui/button.tsx'
import { toast } from '../ui/toast.ts'
import { useLoadOnPress } from '../ui/load-on-press.ts'

interface Shared {
  readonly title: string
  readonly text?: string
  readonly path: string
}

/** `from` lets the organizer see how people came. */
const addressOf = ({ path }: Pick<Shared, 'path'>, from: ViewSource = 'share') =>
  `${location.origin}${path}?from=${from}`

async function copyAddress(shared: Shared): Promise<void> {
  const address = addressOf(shared)
  try {
    await navigator.clipboard.writeText(address)
    toast({ title: 'Link copied', description: address })
  } catch {
    const description = `This browser does not allow it here. The link is ${address}`
    toast({ variant: 'destructive', title: 'Not copied', description })
  }
}

async function share(shared: Shared): Promise<void> {
  const { title, text = title } = shared
  if (!('share' in navigator)) return await copyAddress(shared)
  try {
    await navigator.share({ title, text, url: addressOf(shared) })
  } catch (error) {
    const wasClosed = error instanceof Error && error.name === 'AbortError'
    if (!wasClosed) await copyAddress(shared)
  }
}

const quiet = { variant: 'ghost', size: 'small', className: 'px-2.5' } as const
const iconOf = (Icon: LucideIcon) => <Icon className="size-4 text-muted" />

export function ShareButton({ shared }: { readonly shared: Shared }) {
  return (
    <Button {...quiet} icon={iconOf(Share2)} onClick={() => void share(shared)}>
      Share
    </Button>
  )
}

/** `short` is for a row next to a `ShareButton`. */
export function ShareRow({ shared, short = false }: { readonly shared: Shared; readonly short?: boolean }) {
  return (
    <ul aria-label="Share this page" className="no-print -mx-2.5 flex flex-wrap gap-x-1 pointer-fine:-mx-3">
      {!short && (
        <li>
          <ShareButton shared={shared} />
        </li>
      )}
      <li>
        <Button {...quiet} icon={iconOf(Copy)} onClick={() => void copyAddress(shared)}>
          Copy link
        </Button>
      </li>
      <li>
        <QrButton shared={shared} />
      </li>
    </ul>
  )
}

function QrButton({ shared }: { readonly shared: Shared }) {
  const [isOpen, setOpen] = useState(false)
  const [QrDialog, load] = useLoadOnPress(async () => (await import('./share-qr.tsx')).QrDialog)
  return (
    <>
      <Button
        {...quiet}
        icon={iconOf(QrCode)}
        aria-label="Show QR code"
        aria-haspopup="dialog"
        onClick={() => {
          setOpen(true)
          if (!QrDialog) load()
        }}
      >
        QR code
      </Button>
      {QrDialog && (
        <QrDialog title={shared.title} address={addressOf(shared, 'qr')} open={isOpen} onClose={() => setOpen(false)} />
      )}
    </>
  )
}
