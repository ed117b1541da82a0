import type { Server } from 'node:http'

export class PortUnavailable extends Error {
  override readonly name = 'PortUnavailable'
}

export interface Port {
  readonly port: number
  readonly host: string
  readonly setting: 'PORT' | 'METRICS_PORT'
}

export async function openPort(server: Server, { port, host, setting }: Port): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EADDRNOTAVAIL')
      throw new PortUnavailable(
        `${host} is no address of this machine. ${setting.replace('PORT', 'HOST')} chooses another one.`,
        { cause: error },
      )
    const reasons: Record<string, string> = {
      EADDRINUSE: 'is in use by another program',
      EACCES: 'is not for ordinary users of this machine',
    }
    const reason = reasons[code]
    if (!reason) throw error
    throw new PortUnavailable(`Port ${port} ${reason}. ${setting} chooses another one.`, { cause: error })
  }
}
