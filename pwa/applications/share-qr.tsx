import { Dialog, type DialogProps } from '../ui/dialog.tsx'
import { QrCode } from '../ui/qr-code.tsx'

export function QrDialog(props: Pick<DialogProps, 'open' | 'onClose' | 'title'> & { address: string }) {
  const { address, ...dialog } = props
  const short = address.replace(/^https?:\/\/|\?.*$/g, '')
  return (
    <Dialog {...dialog} shape="box">
      <div className="flex flex-col items-center text-center">
        <QrCode text={address} label={`QR code: ${short}`} className="w-full max-w-72" />
        <p className="mt-4 font-medium">Point a camera here to open the page</p>
        <p className="mt-1 text-muted break-all">{short}</p>
      </div>
    </Dialog>
  )
}
