import { faults, type Fault } from '../../../../sync-server/testing/fault-proxy.ts'
import { disasters, type Disaster } from './disasters.ts'
import { broughtBackByAll } from './going-back.ts'

/** What one seed's run met and what came of it. */
export interface ChaosReport {
  readonly changes: number
  readonly acknowledged: number
  readonly conflicts: number
  readonly withdrawn: number
  readonly faults: Readonly<Record<Fault, number>>
  readonly disasters: Readonly<Record<Disaster, number>>
  /** P5: how long the slowest first request took after the network was back, in ms of the phones' time, of how many. */
  readonly slowestFirstSendMs: number
  /** … and how long nine of ten of them took at most. */
  readonly nineOfTenFirstSendsMs: number
  readonly firstSends: number
  /** P6: how long after the last fault, and after the last change, the replicas were equal to the server, in milliseconds. */
  readonly equalAfterFaultMs: number
  readonly equalAfterChangeMs: number
  readonly clockJumps: number
  /** How often the server went back, and how many changes that it had forgotten were acknowledged anew, by mutation. */
  readonly returns: number
  readonly broughtBack: Readonly<Record<string, number>>
  /** Changes that were written without something that the first released app did not know. */
  readonly oldChanges: number
  readonly crashes: number
  /** Changes that a phone found as `sending` when it was opened again. */
  readonly leftSending: number
  /** Every broken promise, in words. */
  readonly broken: readonly string[]
  /** What each organizer's phone, and a new one, hold at the end: all the same. */
  readonly replicas: readonly unknown[]
  readonly log: { readonly logged: unknown; readonly fromTables: unknown }
}

/** Everything a run has to have met to say anything; answers what it did not. */
export function vacuity(report: ChaosReport): string[] {
  return [
    ...faults.filter((fault) => report.faults[fault] === 0).map((fault) => `no ${fault}`),
    ...disasters.filter((disaster) => report.disasters[disaster] === 0).map((disaster) => `no death of ${disaster}`),
    ...(report.returns === 0 && report.firstSends === 0 ? ['no first request after a reconnect'] : []),
    ...(report.clockJumps === 0 ? ['no clock jump'] : []),
    ...(report.returns === 0 && report.oldChanges === 0 ? ['no change of an old app'] : []),
    ...(report.returns > 0 ? broughtBackByAll : [])
      .filter((name) => !report.broughtBack[name])
      .map((name) => `no ${name} brought back`),
    ...(report.crashes === 0 ? ['no crash of a phone'] : []),
    ...(report.leftSending === 0 ? ['no change left in sending by a crash'] : []),
    ...(report.conflicts === 0 ? ['no conflict'] : []),
    ...(report.withdrawn === 0 ? ['nothing withdrawn'] : []),
    ...(report.acknowledged < report.changes / 2 ? [`only ${report.acknowledged} acknowledged`] : []),
  ]
}
