{{- define "teller.labels" -}}
app.kubernetes.io/name: stellar-teller
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "teller.selector" -}}
app.kubernetes.io/name: stellar-teller
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "teller.name" -}}
{{ printf "%s-stellar-teller" .Release.Name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "teller.image" -}}
{{- $repository := required "image.repository: name the image that you have built and pushed" .Values.image.repository -}}
{{- if .Values.image.digest -}}
{{ $repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ $repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}

{{- /* What all pods have in common. Service links would set variables that the service takes for misspelt names. */ -}}
{{- define "teller.pod" -}}
automountServiceAccountToken: false
{{- with .Values.serviceAccount.name }}
serviceAccountName: {{ . }}
{{- end }}
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  # Secrets are files of root that this group reads; files that others can read are refused.
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* Container fields that the Deployments and the Job share. Takes the context and `secrets`. */ -}}
{{- define "teller.container" -}}
image: {{ include "teller.image" .context }}
imagePullPolicy: {{ .context.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
env:
  {{- range $name, $value := .context.Values.config }}
  - { name: {{ $name }}, value: {{ $value | quote }} }
  {{- end }}
  {{- range $name, $_ := .secrets }}
  - { name: {{ $name }}_FILE, value: /run/secrets/stellar-teller/{{ $name }} }
  {{- end }}
volumeMounts:
  - { name: secrets, mountPath: /run/secrets/stellar-teller, readOnly: true }
  - { name: data, mountPath: /data }
  - { name: tmp, mountPath: /tmp }
{{- end }}

{{- define "teller.volumes" -}}
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      {{- range $name, $reference := .secrets }}
      - secret:
          name: {{ $reference.name }}
          items: [{ key: {{ $reference.key }}, path: {{ $name }} }]
      {{- end }}
- { name: data, emptyDir: { medium: Memory, sizeLimit: 16Mi } }
- { name: tmp, emptyDir: { medium: Memory, sizeLimit: 16Mi } }
{{- end }}
