import type { Tasks } from '../../jobs/worker.ts'
import type { PushTaskDeps } from '../../alerts/send-push.ts'
import { alertKind, gatherAlerts, sendAlert, sendTestAlert } from './new-application-alerts.ts'
import { decisionPushKind, gatherNews, newsKind, sendNews } from './decision-news.ts'
import { beaconNewsKind, gatherBeaconNews, sendBeaconNews, sendBeaconNewsKind } from './beacon-news.ts'
import { quietAlertKind, testAlertKind } from '../../alerts/waiting-alerts.ts'

/**
 * Everything that goes to a phone: organizers hear of new applications and of what approved
 * Beacons do by themselves, applicants of decisions. What is gathered and what
 * is sent are jobs of their own, one for each device, so that a try that fails is repeated for that device alone.
 */
export function createPushTasks(deps: PushTaskDeps): Tasks {
  return {
    'new-application-push': gatherAlerts(deps),
    [alertKind]: sendAlert(deps),
    [quietAlertKind]: sendAlert(deps),
    [testAlertKind]: sendTestAlert(deps),
    [beaconNewsKind]: gatherBeaconNews(deps),
    [sendBeaconNewsKind]: sendBeaconNews(deps),
    [decisionPushKind]: gatherNews(deps),
    [newsKind]: sendNews(deps),
  }
}
