import type { ModelServer } from '../model-server.ts'
import type { SimDevice } from './sim-device.ts'

/** The whole world in a few lines: what a trace of a history shows after each step. */
export function describeWorld(devices: readonly SimDevice[], server: ModelServer): string {
  const phones = devices.map((device) => {
    const contexts = device.contexts
      .map(({ name, isFrozen, sending }) => `${name}${isFrozen ? ' frozen' : ''}${sending > 0 ? ' sending' : ''}`)
      .join(', ')
    const entries = device.disk.entries.map((entry) => {
      const marks = `${entry.discarding ? ' discarding' : ''}${entry.acknowledged ? ` v${entry.acknowledged.version}` : ''}${entry.refusal ? ` ${entry.refusal.problem.code}` : ''}`
      return `${entry.seq} ${entry.key} ${entry.lane} ${entry.mutation} ${JSON.stringify(entry.args)} ${entry.state} x${entry.attempts}${marks}`
    })
    const { isLoaded, heads } = device.replica
    return `\n  ${device.name} [${contexts}]${device.isOnline ? '' : ' offline'} account ${device.disk.account} session ${device.session} replica ${isLoaded ? `${heads.events}/${heads.applications}` : 'empty'}${entries.map((entry) => `\n    ${entry}`).join('')}`
  })
  const rows = [...server.log.values()].map(
    (row) =>
      `${row.key}@${row.version}:${row.document ? `${row.document['edition'] ?? row.document['decisionNumber']}${row.document['status'] ?? row.document['name']}` : 'gone'}`,
  )
  return `server ${server.epoch}/${server.version} ${rows.join(' ')}${phones.join('')}`
}
